// What the tree says: the same comparisons, on the same floating-point numbers, as `predict` and `explain` in Python.

const { items, questions, nodes, rows, plans } = facts;
const asksSingle = questions.every(({ terms }) => terms.length === 1 && terms[0][1] === 1) && rows.every(({ terms }) => !terms.length);
const unlimited = () => ({ lower: -Infinity, upper: Infinity });

/** Per row, a leaf or one of its plans, the intervals (lower, upper] of the questions' values in which it is advised. */
const boxes = rows.map(({ conditions }) => new Map(conditions.map(({ question, lower, upper }) => (
  [question, { lower: lower ?? -Infinity, upper: upper ?? Infinity }]
))));

/** Terms added from left to right, as everywhere. */
function sumOf(terms, values) {
  let total = null;
  for (const [item, coefficient] of terms) {
    const term = coefficient * values[item];
    total = total === null ? term : total + term;
  }
  return total ?? 0;
}

const valueOf = (question, values) => sumOf(questions[question].terms, values);

/** What one of several plans adds up to by the readings. */
const totalOf = (row, values) => sumOf(rows[row].terms, values) + rows[row].added;

/** Rows of a leaf, the one with the best total first; of equal ones the first of the leaf. */
function ranked(held, values) {
  const sign = facts.takesLargest ? -1 : 1;
  return [...held].sort((one, other) => sign * (totalOf(one, values) - totalOf(other, values)));
}

/** The items that a node reads: for its question, or for the totals of its plans. */
function readAt({ question, rows: held }) {
  const terms = held ? held.flatMap((row) => rows[row].terms) : questions[question].terms;
  return [...new Set(terms.map(([item]) => item))];
}

/** The readings that a node still needs. */
const neededAt = (number, values) => readAt(nodes[number]).filter((item) => !Number.isFinite(values[item]));

/** The side that a node's answer is on: true for left, null where a reading is missing. A value that equals the threshold
    goes left. */
function answerAt({ question, threshold }, values) {
  const value = valueOf(question, values);
  return Number.isNaN(value) ? null : value <= threshold;
}

/** What may be advised: rows and plans, and the first node, if any, whose readings are needed. `narrowed` holds the
    intervals of questions without a value on the way. */
function whatIsPossible(values, number = 0, narrowed = new Map()) {
  const node = nodes[number];
  if (node.rows) {
    const held = rowsPossible(node.rows, values, narrowed);
    const found = new Set(held.map((row) => rows[row].plan));
    return { rows: held, plans: found, open: found.size > 1 ? number : null };
  }
  const answer = answerAt(node, values);
  if (answer !== null) return whatIsPossible(values, answer ? node.left : node.right, narrowed);
  const { lower, upper } = narrowed.get(node.question) ?? unlimited();
  const side = (next, low, high) => (low < high ? whatIsPossible(values, next, new Map(narrowed).set(node.question, { lower: low, upper: high })) : nowhere);
  const left = side(node.left, lower, Math.min(upper, node.threshold));
  const right = side(node.right, Math.max(lower, node.threshold), upper);
  if (!left.rows.length || !right.rows.length) return left.rows.length ? left : right;
  const both = new Set([...left.plans, ...right.plans]);
  return { rows: [...left.rows, ...right.rows], plans: both, open: both.size > 1 ? number : null };
}

const nowhere = { rows: [], plans: new Set(), open: null };

/** The rows of a leaf that may be advised: the best one where all totals are known. */
function rowsPossible(held, values, narrowed) {
  const isOpen = held.some((row) => Number.isNaN(totalOf(row, values)));
  if (isOpen) return held.filter((row) => canBe(values, boxes[row]));
  return asksSingle || canBe(values, narrowed) ? ranked(held, values).slice(0, 1) : [];
}

/** Whether there are readings in place of the missing ones with these intervals of the questions' values. */
function canBe(values, narrowed) {
  const isRead = ([item]) => Number.isFinite(values[item]);
  const ranges = [...narrowed].map(([question, { lower, upper }]) => {
    const { terms } = questions[question];
    const total = sumOf(terms.filter(isRead), values);
    return { terms: terms.filter((term) => !isRead(term)), least: lower - total, most: upper - total };
  });
  const [free, settled] = [true, false].map((isFree) => ranges.filter(({ terms }) => (terms.length > 0) === isFree));
  if (settled.some(({ least, most }) => least >= 0 || most < 0)) return false;
  return cheapestChange(free, () => ({ price: 1, most: Infinity })) !== null;
}

/** The nodes from the root as far as answers are known. */
function route(values) {
  const path = [0];
  for (let node = nodes[0]; !node.rows; node = nodes[path.at(-1)]) {
    const answer = answerAt(node, values);
    if (answer === null) break;
    path.push(answer ? node.left : node.right);
  }
  return path;
}

/** The plan for these readings; null where missing ones decide. */
function planFor(values) {
  const found = whatIsPossible(values).plans;
  return found.size === 1 ? [...found][0] : null;
}

/** Where answers change: questions with the ends of their intervals. */
const borders = new Map(boxes.flatMap((box) => [...box].flatMap(([question, { lower, upper }]) => (
  [lower, upper].filter(Number.isFinite).map((threshold) => [`${question} ${threshold}`, { question, threshold }])
))));

/** Where along one item answers change, the others staying as they are. */
function edgesAlong(values, item) {
  const edges = [...borders.values()].flatMap(({ question, threshold }) => {
    const term = questions[question].terms.find(([other]) => other === item);
    if (asksSingle || !term) return term ? [threshold] : [];
    return [values[item] + (threshold - valueOf(question, values)) / term[1]];
  });
  return [...new Set(edges)].filter(Number.isFinite).sort((a, b) => a - b);
}

/** What is advised along one item, the others staying as they are: intervals (lower, upper] with their plans. */
function alongItem(values, item) {
  const moved = [...values];
  const stretches = [];
  let lower = -Infinity;
  for (const upper of [...edgesAlong(values, item), Infinity]) {
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

/** How far a step inside goes that shows which readings have to change for it; small beside any reading. */
const smallStep = (threshold) => 1e-7 * (1 + Math.abs(threshold));

/** The least change of readings, at their prices and within limits, that leads to a row: its distance, and the readings
    that change. Missing ones are free. It is entered from below beyond its lower ends, so that the distance is only
    the limit of what leads there. */
function wayTo(row, values, limits = true) {
  const entered = leastChange(row, values, smallStep, limits);
  const touched = entered && leastChange(row, values, () => 0, limits);
  if (!touched) return { row, distance: Infinity };
  const isRead = (item) => Number.isFinite(values[item]);
  const distance = [...touched].reduce((sum, [item, by]) => sum + (isRead(item) ? items[item].price * Math.abs(by) : 0), 0);
  const changes = [...entered].filter(([item, by]) => by !== 0 && isRead(item)).map(([item, by]) => {
    // Where all questions are about one reading they are numbered like the items; for sums the step is rounded away.
    const digit = 10 * smallStep(values[item]);
    const end = asksSingle ? boxes[row].get(item)[by > 0 ? "lower" : "upper"] : values[item] + Math.round(by / digit) * digit;
    return { item, above: by > 0, threshold: end };
  });
  return { row, plan: rows[row].plan, distance, changes };
}

function leastChange(row, values, step, limits) {
  const isRead = (item) => Number.isFinite(values[item]);
  const filled = values.map((value) => (Number.isFinite(value) ? value : 0));
  const ranges = [...boxes[row]].map(([question, { lower, upper }]) => {
    const value = valueOf(question, filled);
    const least = lower === -Infinity ? lower : Math.min(lower + step(lower), upper);
    return { terms: questions[question].terms, least: least - value, most: upper - value };
  });
  const free = { price: 0, most: Infinity };
  return cheapestChange(ranges, (item) => (isRead(item) ? { price: items[item].price, most: (limits && items[item].reach !== null) ? items[item].reach : Infinity } : free));
}

/** The cheapest change of readings that brings every row's sum into [least, most]; null where there is none.
    A dual simplex method: columns are increases, decreases, and the sums themselves, which form the first basis.
    `measure` returns the price of an item and the most that it may change. */
function cheapestChange(rows, measure) {
  const used = [...new Set(rows.flatMap(({ terms }) => terms.map(([item]) => item)))];
  const n = used.length;
  const width = 2 * n + rows.length;
  const lower = Array(width).fill(0);
  const upper = Array(width).fill(Infinity);
  const reduced = Array(width).fill(0);
  const value = Array(width).fill(0);
  used.forEach((item, place) => {
    const { price, most } = measure(item);
    [reduced[place], reduced[n + place], upper[place], upper[n + place]] = [price, price, most, most];
  });
  const table = rows.map(({ terms, least, most }, row) => {
    const line = Array(width).fill(0);
    for (const [item, coefficient] of terms) {
      line[used.indexOf(item)] = -coefficient;
      line[n + used.indexOf(item)] = coefficient;
    }
    line[2 * n + row] = 1;
    [lower[2 * n + row], upper[2 * n + row]] = [least, most];
    return line;
  });
  const basic = rows.map((_, row) => 2 * n + row);
  const tolerance = rows.map(({ least, most }) => 1e-12 * Math.max(1e-300, ...[least, most].filter(Number.isFinite).map(Math.abs)));
  for (let round = 0; round < 400; round += 1) {
    let [worst, leaving, rises] = [0, -1, false];
    basic.forEach((column, row) => {
      let total = 0;
      table[row].forEach((entry, other) => {
        if (!basic.includes(other) && value[other] !== 0) total -= entry * value[other];
      });
      value[column] = total;
      const outside = Math.max(lower[column] - total, total - upper[column]);
      if (outside > Math.max(worst, tolerance[row])) [worst, leaving, rises] = [outside, row, lower[column] > total];
    });
    if (leaving < 0) return new Map(used.map((item, place) => [item, value[place] - value[n + place]]));
    let [entering, ratio] = [-1, Infinity];
    table[leaving].forEach((entry, column) => {
      if (basic.includes(column) || lower[column] === upper[column]) return;
      const slope = rises ? entry : -entry;
      if (value[column] === lower[column] ? slope < -1e-11 : slope > 1e-11) {
        const found = Math.abs(reduced[column] / slope);
        if (found < ratio) [entering, ratio] = [column, found];
      }
    });
    if (entering < 0) return null;
    value[basic[leaving]] = rises ? lower[basic[leaving]] : upper[basic[leaving]];
    basic[leaving] = entering;
    const pivot = table[leaving][entering];
    table[leaving] = table[leaving].map((entry) => entry / pivot);
    const clear = (line) => line.map((entry, column) => entry - line[entering] * table[leaving][column]);
    table.forEach((line, row) => { if (row !== leaving) table[row] = clear(line); });
    clear(reduced).forEach((entry, column) => { reduced[column] = entry; });
  }
  return null;
}

/** For every other plan the nearest readings that lead to it, nearest first; last come those that limits forbid, with an
    infinite distance. */
function otherAdvice(values, plan) {
  const nearest = new Map();
  rows.forEach((other, row) => {
    if (other.plan === plan || !other.reachable) return;
    const allowed = wayTo(row, values);
    const free = allowed.distance < Infinity ? allowed : wayTo(row, values, false);
    const way = { ...free, distance: allowed.distance, free: free.distance };
    if (way.free < Infinity && (!nearest.has(other.plan) || isNearer(way, nearest.get(other.plan)))) nearest.set(other.plan, way);
  });
  return [...nearest.values()].sort((one, other) => (isNearer(one, other) ? -1 : 1));
}

function isNearer(one, other) {
  if (one.distance !== other.distance) return one.distance < other.distance;
  return one.free === other.free ? one.row < other.row : one.free < other.free;
}

/** All that the page shows for readings, some of which may be missing (NaN). The plan is null as long as what is known
    doesn't decide; `ask` is then the node whose answer is needed next. */
function outlookFor(values) {
  const found = whatIsPossible(values);
  const plan = found.plans.size === 1 ? [...found.plans][0] : null;
  const others = plan === null ? null : otherAdvice(values, plan);
  return {
    values,
    path: route(values),
    row: found.rows.length === 1 ? found.rows[0] : null,
    plan,
    plans: [...found.plans],
    ask: found.open,
    missing: items.flatMap((_, item) => (Number.isFinite(values[item]) ? [] : [item])),
    outside: items.flatMap((_, item) => (isOutside(item, values[item]) ? [item] : [])),
    others,
    radius: others?.[0]?.distance ?? Infinity,
    misled: facts.budget !== null && others?.[0]?.distance <= facts.budget.reach,
  };
}

/** Whether a reading lies beyond all of the training data. */
function isOutside(item, value) {
  const { seen } = items[item];
  return seen !== null && (value < seen[0] || value > seen[1]);
}

/** How many training samples follow these rows; null where that is not known. */
function samplesOf(some) {
  return some.some((row) => row.samples === null) ? null : some.reduce((sum, row) => sum + row.samples, 0);
}
