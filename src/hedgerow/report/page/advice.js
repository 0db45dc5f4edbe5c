// The advice: what to do, why, how sure it is, and what would change it; or the question that has to be answered first.

function buildAdvice() {
  const head = document.getElementById("advice");
  const drawing = make("div", { class: "advice-drawing" });
  const body = make("div", { class: "shown" });
  document.getElementById("certainty").append(drawing, body);

  function update(outlook) {
    const { plan, row, outside } = outlook;
    head.className = plan === null ? "advice waiting" : `advice ${planClass(plan)}${outside.length ? " outside" : ""}`;
    head.dataset.leaf = row === null ? "" : rows[row].leaf;
    head.dataset.plan = plan ?? "";
    const [title, words, tags] = plan === null ? waiting(outlook) : advised(outlook);
    head.replaceChildren(
      ...(plan === null ? [] : [badge(plan, "large")]),
      make("div", {}, make("p", { class: "advice-plan" }, title), make("p", { class: "advice-words" }, words)),
      make("div", { class: "chips" }, ...tags),
    );
    body.replaceChildren(...(plan === null ? questionParts(outlook) : reasonParts(outlook)));
    drawing.replaceChildren(plan === null ? "" : drawPlan(plan, null, true));
    announce(plan === null ? words : `${outside.length ? "Outside experience. " : ""}Advice: ${title}, ${words}`);
  }

  return { update };
}

const advised = (outlook) => [planName(outlook.plan), plans[outlook.plan].words, chips(outlook)];

function waiting({ ask, values, plans: possible }) {
  const names = joined(neededAt(ask, values).map((item) => items[item].name));
  const between = [...possible].sort((a, b) => a - b);
  return ["No advice yet", `Needed next: ${names}.`, between.slice(0, 8).map((plan) => badge(plan))];
}

/** The question that decides next. */
function questionParts({ ask, plans: possible }) {
  const between = joined([...possible].sort((a, b) => a - b).map(planName));
  return [
    make("h3", {}, "What decides next"),
    make("p", { class: "question" }, nodes[ask].asks),
    make("p", { class: "quiet" }, `Still possible: ${between}.`),
  ];
}

function reasonParts(outlook) {
  return [
    make("h3", {}, "Why"), because(outlook), ...totalsTable(outlook),
    make("h3", {}, "How sure is it?"), make("p", { id: "stability" }, ...stability(outlook)),
    ...changesList(outlook),
  ];
}

function because({ row, values, missing, plan }) {
  if (row === null) {
    const names = joined([...new Set(missing.map((item) => items[item].name))]);
    return make("p", {}, `What is known is enough: ${planName(plan)} is advised whatever the reading of ${names}.`);
  }
  const onPath = rows[row].conditions.filter(({ words }) => words);
  const reasons = onPath.map(({ question, words }) => {
    const { lower, upper } = boxes[row].get(question);
    const { name, sides, unit, terms } = questions[question];
    const value = valueOf(question, values);
    if (!Number.isFinite(value) || sides || items[terms[0][0]].kind !== "number") {
      const totals = sides && Number.isFinite(value) ? [make("span", { class: "totals" }, totalsInWords(question, values))] : [];
      return make("li", {}, words, ...totals);
    }
    const ends = [
      ...(lower > -Infinity ? [`above ${shown(lower)}`] : []),
      ...(upper < Infinity ? [`at most ${shown(upper)}`] : []),
    ];
    return make("li", {}, `${name} is ${withUnit(shown(value, asksSingle ? 17 : 10), unit)}, ${joined(ends)}`);
  });
  if (rows[row].terms.length) reasons.push(make("li", {}, `It is the ${facts.best} by today’s readings.`));
  if (!reasons.length) return make("p", {}, "These rules always advise this plan.");
  return make("ul", { class: "reasons" }, ...reasons);
}

/** Where a leaf has several plans: what each adds up to today, the best one first, and by how much it leads. */
function totalsTable({ row, path, values }) {
  const held = nodes[path.at(-1)].rows;
  if (row === null || held.length === 1) return [];
  const inCosts = (amount) => withUnit(shown(amount, 6), facts.unit);
  const order = ranked(held, values);
  const totals = order.map((each) => totalOf(each, values));
  const lines = order.map((each, place) => {
    const by = inCosts(Math.abs(totals[place ? place : 1] - totals[0]));
    const lead = place ? `${by} ${facts.takesLargest ? "less" : "more"}` : `${facts.best} by ${by}`;
    const { plan, added } = rows[each];
    const note = added ? [make("small", {}, ` with ${inCosts(added)} added`)] : [];
    const name = make("th", { scope: "row" }, badge(plan), " ", plans[plan].words, ...note);
    return make("tr", {}, name, make("td", { class: "number" }, inCosts(totals[place]), make("small", {}, lead)));
  });
  return [make("h3", {}, "Today’s totals"), make("table", { id: "totals" }, make("tbody", {}, ...lines))];
}

/** Both sides of a comparison with what they add up to by the readings, where they differ. */
function totalsInWords(question, values) {
  const { sides, unit, terms } = questions[question];
  const total = (sign) => terms
    .filter(([, coefficient]) => sign * coefficient > 0)
    .reduce((sum, [item, coefficient]) => sum + Math.abs(coefficient) * values[item], 0);
  const words = sides.map((side, place) => `${side} ${withUnit(shown(total(place ? -1 : 1), 4), unit)}`);
  return `by the readings, where they differ: ${words.join(", ")}`;
}

/** In a word or two: whether errors of the usual size could change the advice, and what else to know. */
function chips({ others, outside, examples, path, missing, misled }) {
  const chip = (kind, text) => make("span", { class: `chip ${kind}` }, text);
  const onTheWay = (item) => path.some((node) => readAt(nodes[node]).includes(item));
  const tags = examples.some((item) => onTheWay(item) || missing.length) ? [chip("example", "Example")] : [];
  if (outside.length) return [...tags, chip("close", "Outside experience")];
  if (plans.length === 1) return [...tags, chip("firm", "Always")];
  if (facts.budget === null) return tags;
  return [...tags, misled ? chip("close", "Close call") : chip("firm", "Firm")];
}

const isPriced = items.some((item) => item.price !== 1);
const inMeasure = (amount) => withUnit(shown(amount, 6), isPriced ? "" : facts.readingUnit);

function stability({ others, outside, examples, missing, radius, misled }) {
  const parts = [];
  const names = (some) => joined([...new Set(some.map((item) => items[item].name))]);
  if (examples.length) parts.push(make("span", { class: "outside" }, `Example readings: ${names(examples)}. Type in your own. `));
  if (plans.length === 1) return [...parts, "No reading can change it: there is only this plan."];
  const total = make("strong", { "data-radius": radius }, radius === Infinity ? "" : inMeasure(radius));
  if (radius === Infinity) {
    const errors = others.length ? "error that these rules reckon with" : "other reading of what is known";
    parts.push(`No ${errors} can change it.`, total);
  } else if (radius === 0) {
    total.hidden = true;
    parts.push(`It is on the edge: the smallest error may change it to ${planName(others[0].plan)}.`, total);
  } else {
    const priced = isPriced ? ", the error of each item being multiplied by its price" : "";
    parts.push("It stays the same as long as the readings are wrong by less than ", total, ` in total${priced}.`);
    if (facts.budget) parts.push(` ${facts.budget.words}: ${misled ? "such an error may change it" : "none of these can change it"}.`);
  }
  if (missing.length) parts.push(` That is so whatever the reading of ${names(missing)}.`);
  if (outside.length) {
    const which = joined(outside.map((item) => `${items[item].name} (${items[item].seenInWords})`));
    parts.push(make("span", { class: "outside" }, ` Outside experience: the rules have not been tried on such readings of ${which}.`));
  }
  return parts;
}

const mostChanges = 3;

function changesList({ others, values }) {
  if (!others?.length) return [];
  const lines = others.map((other) => {
    const words = joined(other.changes.map((change) => changeInWords(change, values)));
    return make("li", {}, badge(other.plan), " ", make("strong", {}, planName(other.plan)), ` if ${words}`);
  });
  const further = lines.slice(mostChanges);
  const parts = [make("h3", {}, "What would change it?"), make("ul", { class: "changes", id: "changes" }, ...lines.slice(0, mostChanges))];
  if (further.length) {
    const summary = make("summary", {}, counted(further.length, "further plan"));
    parts.push(make("details", {}, summary, make("ul", { class: "changes" }, ...further)));
  }
  return parts;
}

function changeInWords({ item, above, threshold }, values) {
  if (items[item].sides) return items[item].sides[above ? 1 : 0];
  const by = Math.abs(threshold - values[item]);
  const step = by > 0 ? `${above ? "+" : "-"}${shown(by, asksSingle ? 6 : 4)}` : "any more";
  // Where sums decide, the reading may be on either side of what is shown, by a step that is rounded away.
  const sign = asksSingle ? (above ? ">" : "≤") : "about";
  return `${items[item].name} ${sign} ${withUnit(border(threshold), items[item].unit)} (${step})`;
}
