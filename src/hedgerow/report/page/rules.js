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

/** The numbers of the nodes from the root to the leaf; a value that equals the threshold goes left. */
function route(values) {
  const path = [0];
  for (let node = nodes[0]; node.leaf === undefined; node = nodes[path.at(-1)]) {
    path.push(valueOf(node.question, values) <= node.threshold ? node.left : node.right);
  }
  return path;
}

function planFor(values) {
  return leaves[nodes[route(values).at(-1)].leaf].plan;
}

/** How many training samples reach the given leaves, in words; null where nobody knows. */
function samplesOf(someLeaves) {
  if (someLeaves.some((leaf) => leaf.samples === null)) return null;
  return counted(someLeaves.reduce((sum, leaf) => sum + leaf.samples, 0), "training sample");
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

/** How far the readings are from a leaf, priced, and which of them would have to change, how. */
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
    const known = nearest.get(way.plan);
    if (!known || way.distance < known.distance) nearest.set(way.plan, way);
  }
  return [...nearest.values()].sort((a, b) => a.distance - b.distance || a.plan - b.plan);
}

/** All that the page shows for the given readings; null while one of them is missing. */
function outlookFor(values) {
  if (!values.every(Number.isFinite)) return null;
  const path = route(values);
  const { leaf } = nodes[path.at(-1)];
  const { plan } = leaves[leaf];
  return { values, path, leaf, plan, others: alternatives(values, plan) };
}
