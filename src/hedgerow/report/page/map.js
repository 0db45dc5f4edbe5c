// The map of readings: two items as axes, regions of equal advice, the readings as a point.

/** In units of the drawing. */
const mapSize = { left: 54, right: 14, top: 14, bottom: 48 };

/** What can be an axis. */
const numbers = items.flatMap(({ kind }, number) => (kind === "number" ? [number] : []));

function buildMap(setReadings) {
  const host = document.getElementById("map");
  if (!host) return { update() {} };
  const axes = [...facts.axes];
  const svg = draw("svg", { role: "img" });
  const tools = make("div", { class: "map-tools" });
  if (numbers.length > 2) {
    ["Across", "Up"].forEach((label, axis) => tools.append(axisChoice(label, axis, axes, () => update(latest))));
  }
  const open = make("p", { class: "quiet" });
  host.append(tools, svg, open, legend());
  let latest = null;
  svg.addEventListener("click", (event) => setReadings(readingsAt(event, svg, axes, latest.values)));

  function update(outlook) {
    latest = outlook;
    mapSize.width = roomy.matches ? 620 : 370;
    mapSize.height = numbers.length === 1 ? 130 : roomy.matches ? 400 : 330;
    svg.setAttribute("viewBox", `0 0 ${mapSize.width} ${mapSize.height}`);
    const scales = axisScales(axes);
    const { plan, values } = outlook;
    const others = outlook.missing.filter((item) => !axes.includes(item));
    const isKnown = axes.every((item) => Number.isFinite(values[item]));
    const where = plan === null || !isKnown ? "" : `: the point lies in the region of ${planName(plan)}`;
    svg.setAttribute("aria-label", `Map of readings${where}`);
    svg.replaceChildren(
      regionShapes(values, axes, scales), axisShapes(axes, scales),
      ...(isKnown ? [pointShapes(outlook, axes, scales)] : []),
    );
    const names = joined(others.map((item) => items[item].name));
    open.textContent = others.length ? `Blank where it depends on ${names}, which is not filled in.` : "";
  }

  return { update };
}

function axisChoice(label, axis, axes, onChange) {
  const id = `axis-${axis}`;
  const choice = make("select", { id });
  numbers.forEach((number) => choice.append(make("option", { value: number }, items[number].name)));
  choice.value = String(axes[axis]);
  choice.addEventListener("change", () => {
    axes[axis] = Number(choice.value);
    onChange();
  });
  return make("span", { class: "choice" }, make("label", { for: id }, label), " ", choice);
}

/** From readings to the page; a map of one item has no height to speak of. */
function axisScales([across, up]) {
  const { width, height, left, right, top, bottom } = mapSize;
  const scale = (item, from, to) => {
    const { low, high } = items[item];
    const to01 = (value) => (value / 2 - low / 2) / (high / 2 - low / 2);
    const at = (value) => from + to01(value) * (to - from);
    return { low, high, at, place: (value) => at(Math.min(Math.max(value, low), high)) };
  };
  const flat = across === up;
  return {
    flat,
    x: scale(across, left, width - right),
    y: flat ? { place: () => (top + height - bottom) / 2 } : scale(up, height - bottom, top),
  };
}

/** Where an axis is cut into stretches with the same advice: at the thresholds, or evenly where sums are asked about. */
function cutsOf(item, { low, high }, evenly) {
  if (asksSingle) return [low, ...edgesAlong([], item).filter((cut) => low < cut && cut < high), high];
  return Array.from({ length: evenly + 1 }, (_, place) => low + (place / evenly) * (high - low));
}

function regionShapes(values, axes, { flat, x, y }) {
  const columns = cutsOf(axes[0], x, 64);
  const rows = flat ? [0, 1] : cutsOf(axes[1], y, 40);
  const inside = (low, high) => (asksSingle ? high : between(low, high));
  const moved = [...values];
  const found = [];
  for (let row = 1; row < rows.length; row += 1) {
    if (!flat) moved[axes[1]] = inside(rows[row - 1], rows[row]);
    const advice = columns.slice(1).map((high, place) => {
      moved[axes[0]] = inside(columns[place], high);
      return planFor(moved);
    });
    for (let [from, to] = [0, 0]; from < advice.length; from = to) {
      while (to < advice.length && advice[to] === advice[from]) to += 1;
      const below = found.find((each) => each.top === row - 1 && each.from === from && each.to === to && each.plan === advice[from]);
      if (below) below.top = row;
      else found.push({ plan: advice[from], from, to, bottom: row - 1, top: row });
    }
  }
  const { height, top: ceiling, bottom: margin } = mapSize;
  const heightOf = (row) => (flat ? [height - margin, ceiling][row] : y.place(rows[row]));
  return draw("g", { class: "regions" }, ...found.filter(({ plan }) => plan !== null).flatMap(({ plan, from, to, bottom, top }) => {
    const [left, high] = [x.place(columns[from]), heightOf(top)];
    return region(plan, left, high, x.place(columns[to]) - left, heightOf(bottom) - high);
  }));
}

function region(plan, x, y, width, height) {
  const kind = asksSingle ? planClass(plan) : `square ${planClass(plan)}`;
  const shape = draw("rect", { x, y, width, height: asksSingle ? height : height + 0.5, class: kind });
  if (width <= 22 || height <= 24) return [shape];
  return [shape, write(plans[plan].letter, x + 9, y + 23, { class: `region-letter ${planClass(plan)}` })];
}

function ticks({ low, high }) {
  const rough = (high / 2 - low / 2) / 2.5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const found = [];
  for (let number = Math.ceil(low / step); number * step <= high && found.length < 12; number += 1) {
    found.push(Number((number * step).toPrecision(12)));
  }
  return found;
}

function axisShapes(axes, { flat, x, y }) {
  const { width, height, left, right, top, bottom } = mapSize;
  const floor = height - bottom;
  const name = (item) => fitting(items[item].name, 300) + (items[item].unit ? ` (${items[item].unit})` : "");
  const centred = { "text-anchor": "middle" };
  const group = draw("g", { class: "axes" });
  for (const value of ticks(x)) {
    const at = x.place(value);
    group.append(draw("path", { d: `M${at},${floor}v5` }), write(shown(value), at, floor + 19, centred));
  }
  group.append(write(name(axes[0]), (left + width - right) / 2, height - 8, { ...centred, class: "axis-name" }));
  if (flat) return group;
  for (const value of ticks(y)) {
    const at = y.place(value);
    group.append(draw("path", { d: `M${left},${at}h-5` }), write(shown(value), left - 9, at + 4, { "text-anchor": "end" }));
  }
  const middle = (top + floor) / 2;
  group.append(write(name(axes[1]), 14, middle, { ...centred, class: "axis-name", transform: `rotate(-90 14 ${middle})` }));
  return group;
}

/** The readings as a point, and around it all readings that are wrong by less than what changes the advice. */
function pointShapes({ values, others, radius }, axes, { flat, x, y }) {
  const group = draw("g", { class: "point" });
  const [cx, cy] = [x.place(values[axes[0]]), y.place(values[axes[1]])];
  if (others?.length && radius > 0 && radius < Infinity) {
    const reach = axes.map((item) => radius / items[item].price);
    const within = (axis, sign) => values[axes[axis]] + sign * Math.min(reach[axis], items[axes[axis]].reach ?? Infinity);
    const [left, right] = [x.place(within(0, -1)), x.place(within(0, 1))];
    if (flat) group.append(draw("path", { class: "safe", d: `M${left},${cy}H${right}` }));
    else {
      // Equal total errors form a diamond, which is cut off at the map's edges and at the limits on single readings.
      const [bottom, top] = [y.place(within(1, -1)), y.place(within(1, 1))];
      const corners = [[-1, 0], [0, 1], [1, 0], [0, -1]].map(([u, v]) => {
        const [acrossBy, upBy] = [values[axes[0]] + u * reach[0], values[axes[1]] + v * reach[1]];
        return [x.at(acrossBy), y.at(upBy)].map((at) => Math.min(1e6, Math.max(-1e6, at)));
      });
      const frame = { x: left, y: top, width: right - left, height: bottom - top };
      const viewBox = Object.values(frame).join(" ");
      group.append(draw("svg", { ...frame, viewBox }, draw("path", { class: "safe", d: `M${corners.join("L")}Z` })));
    }
  }
  group.append(draw("circle", { cx, cy, r: 7 }), draw("circle", { cx, cy, r: 2, class: "centre" }));
  return group;
}

function readingsAt(event, svg, axes, values) {
  const frame = svg.getBoundingClientRect();
  const { width, height, left, right, top, bottom } = mapSize;
  const px = ((event.clientX - frame.left) / frame.width) * width;
  const py = ((event.clientY - frame.top) / frame.height) * height;
  const shares = [(px - left) / (width - left - right), (height - bottom - py) / (height - top - bottom)];
  const moved = values.map((value) => (Number.isFinite(value) ? value : ""));
  axes.forEach((item, axis) => {
    if (axis === 1 && axes[0] === axes[1]) return;
    const { low, high, step } = items[item];
    const steps = Math.round((Math.min(1, Math.max(0, shares[axis])) * (high / 2 - low / 2) * 2) / step);
    moved[item] = Number((low + steps * step).toPrecision(12));
  });
  return moved;
}

function legend() {
  const parts = [["key-point", "today’s readings"], ["key-safe", "safe from errors of this size"]];
  const keys = parts.map(([key, text]) => make("span", {}, make("span", { class: `key ${key}`, "aria-hidden": "true" }), text));
  return make("p", { class: "legend" }, ...keys, make("span", { class: "hint" }, "Click the map to try other readings."));
}
