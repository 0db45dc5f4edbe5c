// The advice: what to do, why, how sure it is, and what would change it.

function buildAdvice() {
  const head = document.getElementById("advice");
  const certainty = document.getElementById("certainty");
  const spoken = document.getElementById("spoken");
  const drawing = make("div", { class: "advice-drawing" });
  const shown = make("div", { class: "shown" });
  certainty.replaceChildren(drawing, shown);

  function announce(words) {
    if (spoken.textContent !== words) spoken.textContent = words;
  }

  function update(outlook) {
    const { plan, leaf, outside } = outlook;
    head.className = plan === null ? "advice waiting" : `advice ${planClass(plan)}${outside.length ? " outside" : ""}`;
    ["data-leaf", "data-plan"].forEach((name, place) => {
      const value = [leaf, plan][place];
      if (value === null) head.removeAttribute(name);
      else head.setAttribute(name, value);
    });
    if (plan === null) {
      wait(outlook);
      return;
    }
    head.replaceChildren(
      badge(plan, "large"),
      make(
        "div", {},
        make("p", { class: "advice-plan" }, planName(plan)),
        make("p", { class: "advice-words" }, plans[plan].words),
      ),
      make("div", { class: "chips" }, ...chips(outlook)),
    );
    shown.replaceChildren(
      make("h3", {}, say("why")), because(outlook),
      make("h3", {}, say("sure.heading")), make("p", { id: "stability" }, ...stability(outlook)),
      ...changesList(outlook),
    );
    drawing.replaceChildren(drawPlan(plan, null, true));
    announce(say(outside.length ? "spoken.outside" : "spoken.advice", { plan: planName(plan), words: plans[plan].words }));
  }

  /** No advice yet: what is needed next, and what it decides between. */
  function wait({ ask, values, plans: possible, path }) {
    const { question, threshold } = nodes[ask];
    const names = inOneList(neededFor(question, values).map((item) => items[item].name));
    const needed = say("wait.needed", { names });
    const between = [...possible].sort((a, b) => a - b);
    head.replaceChildren(
      make("div", {}, make("p", { class: "advice-plan" }, say("wait.heading")), make("p", { class: "advice-words" }, needed)),
      make("div", { class: "chips" }, ...between.slice(0, 8).map((plan) => badge(plan))),
    );
    const steps = path.slice(0, -1).map((number, place) => {
      const node = nodes[number];
      return make("li", {}, condition(node.question, node.threshold, node.left === path[place + 1]));
    });
    shown.replaceChildren(
      make("h3", {}, say("wait.next")),
      make("p", {}, say("ask.is", { words: condition(question, threshold) })),
      make("p", { class: "quiet" }, say("wait.between", { plans: inOneList(between.map(planName)) })),
      ...(steps.length ? [make("h3", {}, say("wait.so_far")), make("ul", { class: "reasons" }, ...steps)] : []),
    );
    drawing.replaceChildren();
    announce(needed);
  }

  return { update };
}

function because({ leaf, values, missing, plan, answers }) {
  if (leaf === null) {
    const names = inOneList(missing.map((item) => items[item].name));
    return make("p", {}, say("why.whatever", { plan: planName(plan), names }));
  }
  const reasons = [...boxes[leaf]].map(([question, { lower, upper }]) => {
    const sides = [
      ...(lower > -Infinity ? [say("why.above", { limit: shown(lower) })] : []),
      ...(upper < Infinity ? [say("why.at_most", { limit: shown(upper) })] : []),
    ];
    const number = valueOf(question, values);
    if (!Number.isFinite(number) || questions[question].sides) {
      const holds = [
        ...(lower > -Infinity ? [condition(question, lower, false)] : []),
        ...(upper < Infinity ? [condition(question, upper)] : []),
      ];
      const totals = sideTotals(question, values);
      return make("li", {}, inOneList(holds), ...(totals ? [make("span", { class: "totals" }, totalsInWords(question, totals))] : []));
    }
    const value = withUnit(shown(number, asksSingle ? 17 : 10), questions[question].unit);
    return make("li", {}, say("why.reason", { name: questions[question].name, value, sides: inOneList(sides) }));
  });
  if (!reasons.length) return make("p", {}, say("why.always"));
  return make("ul", { class: "reasons" }, ...reasons, ...(answers.size ? [make("li", { class: "quiet" }, say("why.answers"))] : []));
}

/** Both plans of a comparison with what they add up to by the readings, where they differ. */
function totalsInWords(question, totals) {
  const [first, second] = questions[question].sides.map(sideName);
  const [one, other] = totals.map((total) => withUnit(figured(total), questions[question].unit));
  return say("why.totals", { first, second, one, other });
}

/** In a word or two: whether the errors that the rules were made for could change the advice, and what else to know. */
function chips({ others, outside, examples, path, missing, plan }) {
  const chip = (kind, key) => make("span", { class: `chip ${kind}` }, say(key));
  const found = [];
  const onTheWay = new Set(path.flatMap((node) => (nodes[node].question === undefined ? [] : questions[nodes[node].question].terms.map(([item]) => item))));
  if (examples.some((item) => onTheWay.has(item) || missing.length)) found.push(chip("example", "chip.example"));
  if (outside.length) return [...found, chip("close", "chip.outside")];
  if (plans.length === 1) return [...found, chip("firm", "chip.always")];
  if (others === null || facts.budget === null) return found;
  const near = others.length && others[0].distance <= facts.budget;
  return [...found, near ? chip("close", "chip.close") : chip("firm", "chip.firm")];
}

const priced = items.some((item) => item.price !== 1);
const inMeasure = (amount) => (priced ? shown(amount, 6) : withUnit(shown(amount, 6)));

function stability({ others, outside, examples, missing }) {
  const parts = [];
  if (examples.length) parts.push(make("span", { class: "outside" }, say("sure.example", { names: inOneList(examples.map((item) => items[item].name)) }), " "));
  if (plans.length === 1) return [...parts, say("sure.one_plan")];
  if (others === null) return [...parts, say("sure.answers")];
  if (!others.length) return [...parts, say("sure.always")];
  const { distance, plan } = others[0];
  const total = make("strong", { "data-radius": distance }, inMeasure(distance));
  if (distance === 0) {
    total.hidden = true;
    parts.push(say("sure.edge", { plan: planName(plan) }), total);
  } else {
    parts.push(...sayWith(priced ? "sure.radius_priced" : "sure.radius", { total }));
    if (facts.budget !== null) {
      parts.push(` ${say(distance > facts.budget ? "sure.beyond_budget" : "sure.within_budget", { allowed: inMeasure(facts.budget) })}`);
    }
  }
  if (missing.length) parts.push(` ${say("sure.missing", { names: inOneList(missing.map((item) => items[item].name)) })}`);
  if (outside.length) {
    const names = inOneList(outside.map((item) => `${items[item].name} (${seenInWords(item)})`));
    parts.push(make("span", { class: "outside" }, ` ${say("sure.outside", { names })}`));
  }
  return parts;
}

const mostChanges = 3;

function changesList(outlook) {
  if (!outlook.others?.length) return [];
  const lines = outlook.others.map((other) => {
    const words = say("changes.if", { changes: changesInWords(other, outlook.values) });
    return make("li", {}, badge(other.plan), " ", make("strong", {}, planName(other.plan)), ` ${words}`);
  });
  const further = lines.slice(mostChanges);
  const parts = [
    make("h3", {}, say("changes.heading")),
    make("ul", { class: "changes", id: "changes" }, ...lines.slice(0, mostChanges)),
  ];
  if (further.length) {
    const summary = make("summary", {}, counted("further_plans", further.length));
    parts.push(make("details", {}, summary, make("ul", { class: "changes" }, ...further)));
  }
  return parts;
}

function changesInWords({ changes }, values) {
  return inOneList(changes.map(({ item, above, threshold }) => {
    const by = Math.abs(threshold - values[item]);
    const step = by > 0 ? `${above ? "+" : "−"}${shown(by, 6)}` : say("changes.any_more");
    const words = say(above ? "reading.no" : "reading.yes", { name: items[item].name, value: withUnit(border(threshold)) });
    return `${words} (${step})`;
  }));
}
