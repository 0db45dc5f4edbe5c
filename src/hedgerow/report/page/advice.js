// The advice: what to do, why, how sure it is, and what would change it.

function buildAdvice() {
  const head = document.getElementById("advice");
  const certainty = document.getElementById("certainty");
  const spoken = document.getElementById("spoken");
  const drawing = make("div", { class: "advice-drawing" });
  const told = make("div", { class: "told" });
  certainty.append(drawing, told);
  let spokenPlan = null;

  function update(outlook) {
    head.removeAttribute("data-leaf");
    if (!outlook) {
      head.className = "advice waiting";
      head.replaceChildren(make("p", { class: "advice-words" }, "Fill in every reading to see the advice."));
      told.replaceChildren();
      return;
    }
    const { plan } = outlook;
    head.className = `advice ${planClass(plan)}`;
    head.setAttribute("data-leaf", outlook.leaf);
    head.setAttribute("data-plan", plan);
    head.replaceChildren(
      badge(plan, "large"),
      make(
        "div", {},
        make("p", { class: "advice-plan" }, planName(plan)),
        make("p", { class: "advice-words" }, plans[plan].words),
      ),
      chip(outlook),
    );
    told.replaceChildren(
      make("h3", {}, "Why"), because(outlook),
      make("h3", {}, "How sure is it?"), make("p", { id: "stability" }, ...stability(outlook)),
      ...changesList(outlook),
    );
    if (facts.network) drawing.replaceChildren(drawNetwork(plan, null, true));
    if (plan !== spokenPlan) spoken.textContent = `Advice: ${planName(plan)}, ${plans[plan].words}`;
    spokenPlan = plan;
  }

  return { update };
}

function because({ leaf, values }) {
  const reasons = [...boxes[leaf]].map(([question, { lower, upper }]) => {
    const low = lower > -Infinity ? `above ${shown(lower)}` : "";
    const high = upper < Infinity ? `at most ${shown(upper)}` : "";
    const sides = [low, high].filter(Boolean).join(" and ");
    const value = withUnit(valueOf(question, values), facts.readingUnit, asksSingle ? 17 : 10);
    return make("li", {}, `${questions[question].name} is ${value}, ${sides}`);
  });
  if (!reasons.length) return make("p", {}, "These rules always advise this plan.");
  return make("ul", { class: "reasons" }, ...reasons);
}

/** A word on whether the errors that the rules were made for could change the advice. */
function chip({ others }) {
  if (!others.length) return make("span", { class: "chip firm" }, "Always");
  const { distance } = others[0];
  if (facts.budget === null) return "";
  return distance > facts.budget
    ? make("span", { class: "chip firm" }, "Firm")
    : make("span", { class: "chip close" }, "Close call");
}

const priced = items.some((item) => item.price !== 1);
const measure = priced ? "" : facts.readingUnit;

function stability({ others, values }) {
  if (!others.length) return ["No reading can change it: there is only this plan."];
  const { distance, plan } = others[0];
  const total = make("strong", { "data-radius": distance }, withUnit(distance, measure));
  const counting = priced ? ", the error of each item being multiplied by its price" : "";
  const parts = distance === 0
    ? ["It is on the edge: the smallest error may change it to ", planName(plan), "."]
    : ["It stays the same as long as the readings are wrong by less than ", total, ` in total${counting}.`];
  if (distance === 0) total.hidden = true;
  if (facts.budget !== null && distance > 0) {
    const allowed = withUnit(facts.budget, measure);
    parts.push(distance > facts.budget
      ? ` The rules were made for errors of up to ${allowed}: none of these can change it.`
      : ` The rules were made for errors of up to ${allowed}: such an error may change it.`);
  }
  if (distance === 0) parts.push(total);
  parts.push(outsideWarning(values));
  return parts;
}

function outsideWarning(values) {
  const outside = items.filter(({ seen }, item) => seen && (values[item] < seen[0] || values[item] > seen[1]));
  if (!outside.length) return "";
  const names = outside.map((item) => item.name).join(", ");
  return make("span", { class: "outside" }, ` Beyond anything seen in training: ${names}.`);
}

const mostChanges = 3;

function changesList(outlook) {
  if (!outlook.others.length) return [];
  const lines = outlook.others.map((other) => {
    const condition = ` if ${changesInWords(other, outlook.values)}`;
    return make("li", {}, badge(other.plan), " ", make("strong", {}, planName(other.plan)), condition);
  });
  const further = lines.slice(mostChanges);
  const parts = [
    make("h3", {}, "What would change it?"),
    make("ul", { class: "changes", id: "changes" }, ...lines.slice(0, mostChanges)),
  ];
  if (further.length) {
    const summary = make("summary", {}, counted(further.length, "further plan"));
    parts.push(make("details", {}, summary, make("ul", { class: "changes" }, ...further)));
  }
  return parts;
}

function changesInWords({ changes }, values) {
  return changes.map(({ item, above, threshold }) => {
    const by = Math.abs(threshold - values[item]);
    const step = by > 0 ? `${above ? "+" : "−"}${shown(by, 6)}` : "any more";
    return `${items[item].name} ${above ? ">" : "≤"} ${withUnit(threshold, facts.readingUnit, 10)} (${step})`;
  }).join(" and ");
}
