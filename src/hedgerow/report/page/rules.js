// What the tree says: the same comparisons, on the same floating-point numbers, as `predict` in Python.

const { items, nodes, leaves, plans } = facts;
const unlimited = () => ({ lower: -Infinity, upper: Infinity });

/** Per leaf the intervals (lower, upper] that are left of the questions' values, by question. */
const boxes = (() => {
  const found = [];
  const visit = (number, box) => {
    const node = nodes[number];
    if (node.leaf !== undefined) {
      found[node.leaf] = box;
      return;
    }
    const { lower, upper } = box.get(node.question) ?? unlimited();
    visit(node.left, new Map(box).set(node.question, { lower, upper: Math.min(upper, node.threshold) }));
    visit(node.right, new Map(box).set(node.question, { lower: Math.max(lower, node.threshold), upper }));
  };
  visit(0, new Map());
  return found;
})();

const reachable = boxes.map((box) => [...box.values()].every(({ lower, upper }) => lower < upper));

/** What is known of a question: its value, or the interval that the answers given leave. */
function known(question, { values, answers }, narrowed = new Map()) {
  const value = valueOf(question, values);
  if (!Number.isNaN(value)) return { value };
  return narrowed.get(question) ?? answers.get(question) ?? unlimited();
}

/** The side that a node's answer is on: true for yes, null where what is known doesn't say. A value that equals the
    threshold is a yes. */
function answerAt({ question, threshold }, state, narrowed) {
  const { value, lower, upper } = known(question, state, narrowed);
  if (value !== undefined) return value <= threshold;
  if (upper <= threshold) return true;
  return lower >= threshold ? false : null;
}

/** What may be reached: leaves and plans, and the first node, if any, whose answer is needed. */
function whatIsPossible(state, number = 0, narrowed = new Map()) {
  const node = nodes[number];
  if (node.leaf !== undefined) {
    const leaves = asksSingle || canBe(state, narrowed) ? [node.leaf] : [];
    return { leaves, plans: new Set(leaves.map((leaf) => facts.leaves[leaf].plan)), open: null };
  }
  const answer = answerAt(node, state, narrowed);
  if (answer !== null) return whatIsPossible(state, answer ? node.left : node.right, narrowed);
  const { lower, upper } = known(node.question, state, narrowed);
  const side = (next, interval) => whatIsPossible(state, next, new Map(narrowed).set(node.question, interval));
  const [yes, no] = [side(node.left, { lower, upper: node.threshold }), side(node.right, { lower: node.threshold, upper })];
  if (!yes.leaves.length || !no.leaves.length) return yes.leaves.length ? yes : no;
  const plans = new Set([...yes.plans, ...no.plans]);
  return { leaves: [...yes.leaves, ...no.leaves], plans, open: plans.size > 1 ? number : null };
}

/** Whether there are readings in place of the missing ones with these intervals of the questions' values. */
function canBe(state, narrowed) {
  const rows = [...new Map([...state.answers, ...narrowed])].map(([question, { lower, upper }]) => {
    const open = questions[question].terms.filter(([item]) => !Number.isFinite(state.values[item]));
    const rest = questions[question].terms.filter(([item]) => Number.isFinite(state.values[item]));
    const total = rest.reduce((sum, [item, coefficient]) => sum + coefficient * state.values[item], 0);
    return { terms: open, least: lower - total, most: upper - total };
  });
  return cheapestChange(rows.filter(({ terms }) => terms.length)) !== null;
}

/** The nodes from the root as far as answers are known. */
function route(state) {
  const path = [0];
  for (let node = nodes[0]; node.leaf === undefined; node = nodes[path.at(-1)]) {
    const answer = answerAt(node, state);
    if (answer === null) break;
    path.push(answer ? node.left : node.right);
  }
  return path;
}

/** The plan for these readings; null where missing ones decide. */
function planFor(values) {
  const { plans: found } = whatIsPossible({ values, answers: new Map() });
  return found.size === 1 ? [...found][0] : null;
}

/** How many training samples reach the given leaves, in words; null where that is not known. */
function samplesOf(someLeaves) {
  if (someLeaves.some((leaf) => leaf.samples === null)) return null;
  return counted("training_samples", someLeaves.reduce((sum, leaf) => sum + leaf.samples, 0));
}

/** Per item its different thresholds, in increasing order. */
const thresholds = items.map((_, item) => {
  const all = asksSingle ? nodes.filter((node) => node.question === item).map((node) => node.threshold) : [];
  return [...new Set(all)].sort((a, b) => a - b);
});

/** What is advised along one item, the others staying as they are: intervals (lower, upper] with their plans. */
function alongItem(values, item) {
  const moved = [...values];
  const stretches = [];
  let lower = -Infinity;
  for (const upper of [...(asksSingle ? thresholds[item] : edgesAlong(values, item)), Infinity]) {
    moved[item] = asksSingle ? upper : between(lower, upper);
    const plan = planFor(moved);
    if (stretches.length && stretches.at(-1).plan === plan) stretches.at(-1).upper = upper;
    else stretches.push({ lower, upper, plan });
    lower = upper;
  }
  return stretches;
}

/** A number inside an interval. */
function between(lower, upper) {
  if (lower === -Infinity) return upper === Infinity ? 0 : upper - 1 - Math.abs(upper);
  return upper === Infinity ? lower + 1 + Math.abs(lower) : lower / 2 + upper / 2;
}

/** How far the readings are from a leaf, priced, and which of them would have to change, how. Missing ones are free. */
function wayTo(leaf, values) {
  if (!asksSingle) return wayBySums(leaf, values);
  let distance = 0;
  const changes = [];
  for (const [item, { lower, upper }] of boxes[leaf]) {
    const value = values[item];
    if (value <= lower) changes.push({ item, above: true, threshold: lower });
    else if (value > upper) changes.push({ item, above: false, threshold: upper });
    else continue;
    distance += items[item].price * (value <= lower ? lower - value : value - upper);
  }
  return { leaf, plan: leaves[leaf].plan, distance, changes };
}

/** For every other plan the nearest readings that lead to it, nearest first: equal plans are the same advice. */
function alternatives(values, plan) {
  const nearest = new Map();
  for (let leaf = 0; leaf < leaves.length; leaf += 1) {
    if (leaves[leaf].plan === plan || !reachable[leaf]) continue;
    const way = wayTo(leaf, values);
    const before = nearest.get(way.plan);
    if (way.distance < Infinity && (!before || way.distance < before.distance)) nearest.set(way.plan, way);
  }
  return [...nearest.values()].sort((a, b) => a.distance - b.distance || a.plan - b.plan);
}

/** Whether a reading lies beyond all of the training data. */
function isOutside(item, value) {
  const { seen } = items[item];
  return seen !== null && (value < seen[0] || value > seen[1]);
}

/** All that the page shows for readings, some of which may be missing (NaN), and for answers given without a reading.
    The plan is null as long as what is known doesn't decide; `ask` is then the node whose answer is needed next. */
function outlookFor(state) {
  const { values, answers } = state;
  const found = whatIsPossible(state);
  const plan = found.plans.size === 1 ? [...found.plans][0] : null;
  return {
    ...state,
    path: route(state),
    leaf: found.leaves.length === 1 ? found.leaves[0] : null,
    plan,
    plans: [...found.plans],
    ask: found.open,
    missing: items.flatMap((_, item) => (Number.isFinite(values[item]) ? [] : [item])),
    outside: items.flatMap((_, item) => (isOutside(item, values[item]) ? [item] : [])),
    // How far away other advice is can't be said where a reading is known by an answer only.
    others: plan === null || answers.size ? null : alternatives(values, plan),
  };
}

/** The readings that a question still needs. */
function neededFor(question, values) {
  return questions[question].terms.map(([item]) => item).filter((item) => !Number.isFinite(values[item]));
}

/** The answer "yes", or "no", to a question as a statement. */
function condition(question, threshold, yes = true) {
  const { name, sides, unit, kind } = questions[question];
  const answer = yes ? "yes" : "no";
  if (!sides) return say(`reading.${answer}`, { name, value: withUnit(shown(threshold), unit) });
  const [first, second] = sides.map(sideName);
  const side = threshold === 0 ? "equal" : threshold < 0 ? "below" : "beyond";
  const [lower, higher] = ["lower", "higher"].map((word) => say(`${word}.${kind}`));
  const amount = withUnit(shown(Math.abs(threshold)), unit);
  return say(`less.${side}.${answer}`, { first, second, amount, lower, higher });
}

const sideName = (side) => (typeof side === "number" ? planName(side) : side);

/** The conditions of a leaf. */
function conditions(leaf) {
  return [...boxes[leaf]].flatMap(([question, { lower, upper }]) => [
    ...(lower > -Infinity ? [condition(question, lower, false)] : []),
    ...(upper < Infinity ? [condition(question, upper)] : []),
  ]);
}

/** Where else a threshold may lie at no loss, in words. */
function cellInWords({ cell, question }) {
  if (!cell) return null;
  const [low, high] = cell.map((end) => (end === null ? null : withUnit(shown(end), questions[question].unit)));
  if (low === null) return say("cell.up_to", { high });
  return high === null ? say("cell.from", { low }) : say("cell.between", { low: shown(cell[0]), high });
}
