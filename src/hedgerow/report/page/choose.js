// The builder: one question after the other, each with the extra cost of the best tree that asks it.

const host = document.getElementById("steps");
const nNodes = facts.choices.length ? facts.choices[0].asked.length : 0;
/** Per step the chosen question, −1 for nothing, null while it is open. */
const chosen = new Array(nNodes).fill(null);

/** The trees that ask what is chosen in the steps before this one. */
function possible(step) {
  return facts.choices.filter((choice) => choice.asked.slice(0, step).every((asked, place) => asked === chosen[place]));
}

const questionName = (question) => (question < 0 ? "nothing more" : facts.questions[question].label);

/** The questions that may be asked in a step, each with the cheapest tree that asks it. */
function offers(step) {
  const best = new Map();
  for (const choice of possible(step)) {
    const asked = choice.asked[step];
    if (!best.has(asked) || choice.extra < best.get(asked).extra) best.set(asked, choice);
  }
  return [...best.entries()].sort((one, other) => one[1].extra - other[1].extra);
}

function fill(fieldset, step) {
  const list = make("div", { class: "offers" });
  for (const [question, choice] of offers(step)) {
    const input = make("input", { type: "radio", name: `step-${step}`, value: question });
    input.checked = chosen[step] === question;
    input.addEventListener("change", () => choose(step, question));
    const cost = make("span", { class: "cost" }, choice.extraCost);
    list.append(make("label", { class: "offer" }, input, make("span", {}, questionName(question)), cost));
  }
  fieldset.replaceChildren(make("legend", {}, title(step)), list);
}

function title(step) {
  if (!step) return nNodes === 1 ? "Ask" : "Ask first";
  return `If ${possible(step)[0].tree.answers[step - 1]}, ask`;
}

function choose(step, question) {
  chosen[step] = question;
  chosen.fill(null, step + 1);
  // A tree that asks nothing first has nothing to ask later.
  if (step === 0 && question < 0) chosen.fill(-1);
  show(step + 1);
}

/** Redraw the steps from this one on, and the tree if it is complete. */
function show(from) {
  for (let step = from; step < nNodes; step += 1) {
    const fieldset = host.children[step];
    fieldset.hidden = step > 0 && (chosen[step - 1] === null || chosen[0] === -1);
    if (!fieldset.hidden) fill(fieldset, step);
  }
  const built = document.getElementById("built");
  const done = chosen.every((question) => question !== null) ? possible(nNodes)[0] : undefined;
  built.hidden = done === undefined;
  if (!done) return;
  built.replaceChildren(
    make("h3", {}, "Your rule book"),
    make("p", {}, done.words),
    make("ul", { class: "tree outline" }, ruleList(done.tree)),
    button("Save as a rule book", () => download(done), { id: "save", class: "strong" }),
  );
  announce(`Complete: ${done.words}`);
}

/** The rules as nested lists, as the template writes them. */
function ruleList(node, answer = "") {
  const lead = answer ? [make("span", { class: "answer" }, answer)] : [];
  const isPlan = node.plan !== undefined;
  const box = make("div", { class: "box" }, ...lead, make("span", {}, isPlan ? facts.plans[node.plan].words : `${node.asks}?`));
  if (isPlan) return make("li", {}, box);
  return make("li", {}, box, make("ul", {}, ruleList(node.yes, node.answers[0]), ruleList(node.no, node.answers[1])));
}

function nested(node) {
  if (node.plan !== undefined) return { solution: facts.plans[node.plan].solution };
  return { ...facts.questions[node.ask].asked, threshold: node.threshold, left: nested(node.yes), right: nested(node.no) };
}

function leafWords(node) {
  return node.plan !== undefined ? [facts.plans[node.plan].words] : [...leafWords(node.yes), ...leafWords(node.no)];
}

/** The rule book's file: that of the best tree with this tree and its figures in it. */
function ruleBook(choice) {
  const book = structuredClone(facts.base);
  const { details } = book;
  book.tree = nested(choice.tree);
  details.advice = leafWords(choice.tree);
  Object.assign(details.training, { leaf_samples: choice.samples });
  Object.assign(details.result, { objective: choice.value, nominal: choice.nominal, cells: [], ...choice.proof });
  return JSON.stringify(book, null, 1);
}

function download(choice) {
  const address = URL.createObjectURL(new Blob([ruleBook(choice)], { type: "application/json" }));
  const link = make("a", { href: address, download: "rules.json" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

if (host) {
  for (let step = 0; step < nNodes; step += 1) host.append(make("fieldset"));
  show(0);
}
