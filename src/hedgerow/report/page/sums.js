// Questions about several readings: their values, and the least change of readings that leads to a leaf.

const { questions } = facts;
const asksSingle = questions.every(({ terms }) => terms.length === 1 && terms[0][1] === 1);

/** Where advice changes along one reading: a threshold as it is, but what follows from a sum without its many digits. */
const border = (value) => shown(value, asksSingle ? 10 : 6);

/** A question's value: terms from left to right, as everywhere. */
function valueOf(question, values) {
  let total = null;
  for (const [item, coefficient] of questions[question].terms) {
    const term = coefficient * values[item];
    total = total === null ? term : total + term;
  }
  return total;
}

/** The cheapest change of readings that brings every row's sum into [least, most]; null where there is none.
    A dual simplex method: columns are increases, decreases, and the sums themselves, which form the first basis. */
function cheapestChange(rows, priceOf = (item) => items[item].price) {
  const used = [...new Set(rows.flatMap(({ terms }) => terms.map(([item]) => item)))];
  const n = used.length;
  const width = 2 * n + rows.length;
  const lower = Array(width).fill(0);
  const upper = Array(width).fill(Infinity);
  const reduced = Array(width).fill(0);
  const value = Array(width).fill(0);
  used.forEach((item, place) => { reduced[place] = reduced[n + place] = priceOf(item); });
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
  const sizes = rows.flatMap(({ least, most }) => [least, most]).filter(Number.isFinite).map(Math.abs);
  const tolerance = 1e-12 * Math.max(1e-300, ...sizes);
  for (let round = 0; round < 400; round += 1) {
    let [worst, leaving, rises] = [tolerance, -1, false];
    basic.forEach((column, row) => {
      let total = 0;
      table[row].forEach((entry, other) => {
        if (!basic.includes(other) && value[other] !== 0) total -= entry * value[other];
      });
      value[column] = total;
      if (lower[column] - total > worst) [worst, leaving, rises] = [lower[column] - total, row, true];
      if (total - upper[column] > worst) [worst, leaving, rises] = [total - upper[column], row, false];
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

/** How far the readings are from a leaf, and which of them would have to change, where questions share readings. */
function wayBySums(leaf, values) {
  const isRead = (item) => Number.isFinite(values[item]);
  const filled = values.map((value) => (Number.isFinite(value) ? value : 0));
  const rows = [...boxes[leaf]].map(([question, { lower, upper }]) => {
    const value = valueOf(question, filled);
    return { terms: questions[question].terms, least: lower - value, most: upper - value };
  });
  const found = cheapestChange(rows, (item) => (isRead(item) ? items[item].price : 0));
  if (!found) return { leaf, plan: leaves[leaf].plan, distance: Infinity, changes: [] };
  const moved = [...found].filter(([item, by]) => by !== 0 && isRead(item));
  const distance = moved.reduce((sum, [item, by]) => sum + items[item].price * Math.abs(by), 0);
  const changes = moved.map(([item, by]) => ({ item, above: by > 0, threshold: values[item] + by }));
  return { leaf, plan: leaves[leaf].plan, distance, changes };
}

/** What either side of a comparison adds up to by the readings, where the two differ; null if readings are missing. */
function sideTotals(question, values) {
  const total = (sign) => questions[question].terms
    .filter(([, coefficient]) => sign * coefficient > 0)
    .reduce((sum, [item, coefficient]) => sum + Math.abs(coefficient) * values[item], 0);
  return questions[question].sides && Number.isFinite(valueOf(question, values)) ? [total(1), total(-1)] : null;
}

/** Where along one item answers change, the others staying as they are. */
function edgesAlong(values, item) {
  const edges = nodes.filter((node) => node.leaf === undefined).flatMap(({ question, threshold }) => {
    const term = questions[question].terms.find(([other]) => other === item);
    return term ? [values[item] + (threshold - valueOf(question, values)) / term[1]] : [];
  });
  return [...new Set(edges)].sort((a, b) => a - b);
}

/** The regions of equal advice as small squares: with sums they are no rectangles. */
function regionSquares(values, axes, { flat, x, y }) {
  const group = draw("g", { class: "regions" });
  const { width, height, left, right, top, bottom } = mapSize;
  const [columns, rowsUp] = [64, flat ? 1 : 40];
  const step = { x: (width - left - right) / columns, y: (height - top - bottom) / rowsUp };
  for (let row = 0; row < rowsUp; row += 1) {
    let run = null;
    for (let column = 0; column <= columns; column += 1) {
      const moved = [...values];
      moved[axes[0]] = x.low + ((column + 0.5) / columns) * (x.high - x.low);
      if (!flat) moved[axes[1]] = y.high - ((row + 0.5) / rowsUp) * (y.high - y.low);
      const plan = column < columns ? planFor(moved) : undefined;
      if (run && run.plan === plan) continue;
      if (run && run.plan !== null) {
        const at = { x: left + run.from * step.x, y: top + row * step.y };
        const size = { width: (column - run.from) * step.x, height: step.y + 0.5 };
        group.append(draw("rect", { ...at, ...size, class: `square ${planClass(run.plan)}` }));
      }
      run = { plan, from: column };
    }
  }
  return group;
}
