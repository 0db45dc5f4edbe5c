// The builder: one question after the other, each with the price of the best tree that asks it.

const steps = document.getElementById("steps");

const amount = (value) => withUnit(figured(value), facts.unit);
const inSteps = (price) => Math.max(Number(price.toFixed(4)), 1e-4);
const priceText = (price) => (price === 0 ? say("choose.no_extra") : say("choose.price", { price: { share: inSteps(price) } }));

const nodes = facts.choices.length ? facts.choices[0].asked.length : 0;
const titles = nodes === 1 ? ["choose.ask"] : ["choose.ask_first", "choose.ask_if_yes", "choose.ask_if_no"];
/** Per step the chosen question, −1 for nothing, null while it is open. */
const chosen = new Array(nodes).fill(null);

/** The trees that ask what is chosen in the steps before this one. */
function possible(step) {
  return facts.choices.filter((choice) => choice.asked.slice(0, step).every((asked, place) => asked === chosen[place]));
}

function questionName(question) {
  return question < 0 ? say("choose.nothing_more") : facts.questions[question].label;
}

/** The questions that may be asked in a step, each with the cheapest tree that asks it. */
function offers(step) {
  const best = new Map();
  for (const choice of possible(step)) {
    const asked = choice.asked[step];
    if (!best.has(asked) || choice.value !== best.get(asked).value && choice.price < best.get(asked).price) {
      best.set(asked, choice);
    }
  }
  return [...best.entries()].sort((one, other) => one[1].price - other[1].price);
}

function fill(fieldset, step) {
  const list = make("div", { class: "offers" });
  for (const [question, choice] of offers(step)) {
    const input = make("input", { type: "radio", name: `step-${step}`, value: question });
    input.checked = chosen[step] === question;
    input.addEventListener("change", () => choose(step, question));
    const cost = make("span", { class: "cost" }, priceText(choice.price));
    list.append(make("label", { class: "offer" }, input, make("span", {}, questionName(question)), cost));
  }
  fieldset.replaceChildren(make("legend", {}, say(titles[step])), list);
}

function choose(step, question) {
  chosen[step] = question;
  chosen.fill(null, step + 1);
  // A tree that asks nothing first has nothing to ask later.
  if (step === 0 && question < 0) chosen.fill(-1);
  show(step + 1);
}

/** Redraw the steps from the given one on, and the tree if it is complete. */
function show(from) {
  for (let step = from; step < nodes; step += 1) {
    const fieldset = steps.children[step];
    fieldset.hidden = chosen[step - 1] === null && step > 0 || (step > 0 && chosen[0] === -1);
    if (!fieldset.hidden) fill(fieldset, step);
  }
  const built = document.getElementById("built");
  const done = chosen.every((question) => question !== null) ? possible(nodes)[0] : undefined;
  built.hidden = done === undefined;
  if (done) {
    const inWords = { value: amount(done.value), price: priceText(done.price), nominal: amount(done.nominal) };
    const save = make("button", { type: "button", id: "save" }, say("choose.save"));
    save.addEventListener("click", () => download(done));
    built.replaceChildren(
      make("h3", {}, say("choose.yours")),
      make("p", {}, say("choose.figures", inWords)),
      make("ul", {}, drawn(done.tree)),
      save,
    );
    document.getElementById("spoken").textContent = say("choose.complete", inWords);
  }
}

function drawn(node, answer = "") {
  const lead = answer ? [make("span", { class: "answer" }, `${answer}: `)] : [];
  if (node.plan !== undefined) return make("li", {}, ...lead, facts.plans[node.plan].words);
  return make("li", {}, ...lead, `${said(node.asks)}?`, make("ul", {}, drawn(node.yes, say("yes")), drawn(node.no, say("no"))));
}

function nested(node) {
  if (node.plan !== undefined) return { solution: facts.plans[node.plan].solution };
  const asked = facts.questions[node.ask].asked;
  return { ...asked, threshold: node.threshold, left: nested(node.yes), right: nested(node.no) };
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
  Object.assign(details.training, { leaf_samples: choice.samples, nominal: choice.nominal, robust: choice.value });
  const bound = details.result.lower_bound;
  const gap = bound === null ? null : Math.abs(choice.value - bound) / Math.max(Math.abs(choice.value), 1e-9);
  Object.assign(details.result, {
    objective: choice.value,
    nominal: choice.nominal,
    gap,
    status: gap !== null && gap <= 1e-6 ? "optimal" : "feasible",
    cells: null,
  });
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

const language = document.getElementById("language");
Object.entries(facts.languages).forEach(([name, texts]) => language.append(make("option", { value: name }, texts.language)));
for (let step = 0; steps && step < nodes; step += 1) steps.append(make("fieldset", {}));

function begin(name) {
  speak(name);
  if (steps) show(0);
}

language.addEventListener("change", () => begin(language.value));
begin(firstLanguage());
language.value = speech.name;
