// One state: readings, and answers without a reading. Everything on the page follows from it.

let steps = []; // each {node, yes}, in the order of the answers
const form = buildForm(refresh, () => setAnswers([]));
const views = [
  buildAdvice((node, yes) => setAnswers([...steps, { node, yes }]), () => setAnswers([])),
  form, buildTree(), buildMap(form.set), buildPlans(),
];

function setAnswers(next) {
  steps = next;
  refresh();
}

/** What the answers leave of the values of questions whose readings are not known. */
function intervals(values) {
  const found = new Map();
  for (const { node, yes } of steps) {
    const { question, threshold } = nodes[node];
    const { lower, upper } = found.get(question) ?? unlimited();
    found.set(question, yes ? { lower, upper: Math.min(upper, threshold) } : { lower: Math.max(lower, threshold), upper });
  }
  return new Map([...found].filter(([question]) => Number.isNaN(valueOf(question, values))));
}

function refresh() {
  const values = form.values();
  const outlook = { ...outlookFor({ values, answers: intervals(values) }), examples: form.examples() };
  views.forEach((view) => view.update(outlook));
}

roomy.addEventListener("change", refresh);
refresh();

// On paper the rules as text are unfolded, and the day is known.
window.addEventListener("beforeprint", () => {
  document.querySelector(".as-text").open = true;
  const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" }).format(new Date());
  document.getElementById("printed").textContent = `Printed on ${when}`;
});
