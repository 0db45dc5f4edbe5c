// The map of readings: two items as axes, regions of equal advice, the readings as a point.

/** In units of the drawing. */
const mapSize = { left: 54, right: 14, top: 14, bottom: 48 };

function measureMap() {
  mapSize.width = roomy.matches ? 620 : 370;
  mapSize.height = items.length === 1 ? 130 : roomy.matches ? 400 : 330;
}

function buildMap(setReadings) {
  const host = document.getElementById("map");
  if (!host) return { update() {} };
  const axes = [0, Math.min(1, items.length - 1)];
  const svg = draw("svg", { role: "img" });
  const tools = make("div", { class: "map-tools" });
  if (items.length > 2) {
    ["map.across", "map.up"].forEach((label, axis) => tools.append(axisChoice(say(label), axis, axes, () => update(latest))));
  }
  const open = make("p", { class: "quiet" });
  host.replaceChildren(tools, svg, open, legend());
  let latest = null;
  svg.addEventListener("click", (event) => {
    if (latest) setReadings(readingsAt(event, svg, axes, latest.values));
  });

  function update(outlook) {
    latest = outlook;
    measureMap();
    svg.setAttribute("viewBox", `0 0 ${mapSize.width} ${mapSize.height}`);
    const scales = axisScales(axes);
    const { plan, values } = outlook;
    const others = outlook.missing.filter((item) => !axes.includes(item));
    const isKnown = axes.every((item) => Number.isFinite(values[item]));
    svg.setAttribute("aria-label", plan === null || !isKnown ? say("map.label") : say("map.label_plan", { plan: planName(plan) }));
    svg.replaceChildren(
      (asksSingle && !others.length ? regionShapes : regionSquares)(values, axes, scales), axisShapes(axes, scales),
      sampleShapes(axes, scales), ...(isKnown ? [pointShapes(outlook, axes, scales)] : []),
    );
    open.textContent = others.length ? say("map.open", { names: inOneList(others.map((item) => items[item].name)) }) : "";
  }

  return { update };
}

function axisChoice(label, axis, axes, onChange) {
  const id = `axis-${axis}`;
  const choice = make("select", { id });
  items.forEach((item, number) => choice.append(make("option", { value: number }, item.name)));
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
    return { low, high, place: (value) => from + to01(Math.min(Math.max(value, low), high)) * (to - from) };
  };
  const flat = across === up;
  return {
    flat,
    x: scale(across, left, width - right),
    y: flat ? { place: () => (top + height - bottom) / 2 } : scale(up, height - bottom, top),
  };
}

function regionShapes(values, axes, { flat, x, y }) {
  const group = draw("g", { class: "regions" });
  const { height, top, bottom } = mapSize;
  leaves.forEach(({ plan }, leaf) => {
    const box = boxes[leaf];
    const holds = ([item, { lower, upper }]) => lower < values[item] && values[item] <= upper;
    if (!reachable[leaf] || ![...box].every((side) => axes.includes(side[0]) || holds(side))) return;
    const side = (item) => box.get(item) ?? unlimited();
    const [left, right] = [x.place(side(axes[0]).lower), x.place(side(axes[0]).upper)];
    const [low, high] = flat ? [height - bottom, top] : [y.place(side(axes[1]).lower), y.place(side(axes[1]).upper)];
    if (!(right > left && low > high)) return;
    group.append(
      draw("rect", { x: left, y: high, width: right - left, height: low - high, class: planClass(plan) }),
    );
    if (right - left > 22 && low - high > 24) {
      group.append(write(plans[plan].letter, left + 9, high + 23, { class: `region-letter ${planClass(plan)}` }));
    }
  });
  return group;
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
  const name = (item) => fitting(items[item].name, 300) + (facts.readingUnit ? ` (${facts.readingUnit})` : "");
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
    const label = write(shown(value), left - 9, at + 4, { "text-anchor": "end" });
    group.append(draw("path", { d: `M${left},${at}h-5` }), label);
  }
  const middle = (top + floor) / 2;
  const turned = { ...centred, class: "axis-name", transform: `rotate(-90 14 ${middle})` };
  group.append(write(name(axes[1]), 14, middle, turned));
  return group;
}

function sampleShapes(axes, { x, y }) {
  const group = draw("g", { class: "samples" });
  if (!facts.samples) return group;
  const place = (readings) => [x.place(readings[axes[0]]), y.place(readings[axes[1]])];
  facts.samples.readings.forEach((readings, sample) => {
    const [cx, cy] = place(readings);
    group.append(draw("circle", { cx, cy, r: 3.2 }, draw("title", {}, say("sample", { number: sample + 1 }))));
  });
  for (const { sample, readings, leaf } of facts.samples.attacks) {
    const title = say("map.misread", { number: sample + 1, plan: planName(leaves[leaf].plan) });
    group.append(arrow(place(facts.samples.readings[sample]), place(readings), title));
  }
  return group;
}

function arrow([fromX, fromY], [toX, toY], title) {
  const length = Math.hypot(toX - fromX, toY - fromY);
  if (length < 1) return "";
  const along = [(toX - fromX) / length, (toY - fromY) / length];
  const head = Math.min(7, length);
  const line = `M${fromX},${fromY}L${toX - head * along[0]},${toY - head * along[1]}`;
  const parts = [draw("path", { d: line }), arrowHead([toX, toY], along, head, head / 2)];
  return draw("g", { class: "arrow" }, draw("title", {}, title), ...parts);
}

/** The readings as a point, and around it all readings that are wrong by less than what changes the advice. */
function pointShapes({ values, others }, axes, { flat, x, y }) {
  const group = draw("g", { class: "point" });
  const [cx, cy] = [x.place(values[axes[0]]), y.place(values[axes[1]])];
  if (others?.length && others[0].distance > 0) {
    const reach = axes.map((item) => others[0].distance / items[item].price);
    const [left, right] = [x.place(values[axes[0]] - reach[0]), x.place(values[axes[0]] + reach[0])];
    if (flat) group.append(draw("path", { class: "safe", d: `M${left},${cy}H${right}` }));
    else group.append(draw("path", { class: "safe", d: diamond(values, axes, reach, x, y) }));
  }
  group.append(draw("circle", { cx, cy, r: 7 }), draw("circle", { cx, cy, r: 2, class: "centre" }));
  return group;
}

/** The diamond of equal total error, cut at the map's edges so that it keeps its slopes. */
function diamond(values, axes, reach, x, y) {
  const [a, b] = axes.map((item) => values[item]);
  const share = (value, axis) => (value - [a, b][axis]) / reach[axis];
  const bounds = [x, y].map(({ low, high }, axis) => [share(low, axis), share(high, axis)]);
  // Corners of the unit diamond, clipped by the four edges one after another.
  let corners = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  for (const axis of [0, 1]) {
    const [low, high] = bounds[axis];
    corners = clipped(clipped(corners, axis, low, 1), axis, high, -1);
  }
  if (!corners.length) return "";
  return `M${corners.map(([u, v]) => `${x.place(a + u * reach[0])},${y.place(b + v * reach[1])}`).join("L")}Z`;
}

function clipped(corners, axis, limit, sign) {
  const kept = [];
  corners.forEach((corner, place) => {
    const next = corners[(place + 1) % corners.length];
    const [here, there] = [sign * (corner[axis] - limit), sign * (next[axis] - limit)];
    if (here >= 0) kept.push(corner);
    if ((here >= 0) !== (there >= 0)) {
      const share = here / (here - there);
      kept.push([corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])]);
    }
  });
  return kept;
}

function readingsAt(event, svg, axes, values) {
  const frame = svg.getBoundingClientRect();
  const { width, height, left, right, top, bottom } = mapSize;
  const px = ((event.clientX - frame.left) / frame.width) * width;
  const py = ((event.clientY - frame.top) / frame.height) * height;
  const shares = [(px - left) / (width - left - right), (height - bottom - py) / (height - top - bottom)];
  const moved = [...values];
  axes.forEach((item, axis) => {
    if (axis === 1 && axes[0] === axes[1]) return;
    const { low, high, step } = items[item];
    const share = Math.min(1, Math.max(0, shares[axis]));
    const steps = Math.round((share * (high / 2 - low / 2) * 2) / step);
    moved[item] = Number((low + steps * step).toPrecision(12));
  });
  return moved;
}

function legend() {
  const parts = [["key-point", "map.point"], ["key-safe", "map.safe"]];
  if (facts.samples) {
    parts.push(["key-sample", "map.samples"]);
    if (facts.samples.attacks.length) parts.push(["key-arrow", "map.attack"]);
  }
  const keys = parts.map(([key, text]) => {
    return make("span", {}, make("span", { class: `key ${key}`, "aria-hidden": "true" }), say(text));
  });
  const hint = make("span", { class: "hint" }, say("map.hint"));
  return make("p", { class: "legend" }, ...keys, hint);
}
