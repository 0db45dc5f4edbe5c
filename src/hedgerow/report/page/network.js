// A plan drawn on the problem's network.

/** The network with a plan's arcs lit; `against` is the plan to tell the differences from. */
function drawNetwork(plan, against, large) {
  const { nodes: stops, arcs, ends } = facts.network;
  const { width, height, at } = networkScale(stops, large);
  const used = new Set(plans[plan].uses.map(([number]) => number));
  const before = against === null ? used : new Set(plans[against].uses.map(([number]) => number));
  const onWay = new Set(arcs.flatMap(([tail, head, arc]) => (used.has(arc) ? [tail, head] : [])));
  const isNamed = (stop) => stops.length <= fewStops || (onWay.has(stop) && onWay.size <= fewStops) || ends.includes(stop);
  const named = large && onWay.size <= mostNamedArcs;
  const layers = { idle: draw("g"), dropped: draw("g"), used: draw("g"), names: draw("g") };
  const names = [];
  const nameBoxes = stops.flatMap(([name], number) => (isNamed(number) ? [stopNameBox(name, at(number))] : []));
  const seen = new Map();
  // Arcs in use lie apart where they join the same two stops; for all others one line between two stops is enough.
  const kindOf = (arc) => (used.has(arc) ? "used" : before.has(arc) ? "dropped" : "idle");
  for (const kind of ["used", "dropped", "idle"]) {
    for (const [tail, head, arc, name] of arcs.filter((each) => kindOf(each[2]) === kind)) {
      const pair = `${Math.min(tail, head)} ${Math.max(tail, head)}`;
      const count = seen.get(pair) ?? 0;
      if (tail === head || (kind === "idle" && count)) continue;
      seen.set(pair, count + 1);
      const bend = count * 14 * (tail <= head ? 1 : -1);
      const { parts, middle, along } = arcShape(at(tail), at(head), bend, kind === "used");
      layers[kind].append(draw("g", { class: `arc ${kind}`, "data-arc": arc }, draw("title", {}, name), ...parts));
      if (named && kind === "used") names.push({ name, middle, along });
    }
  }
  // Names of flat arcs have the fewest places to go to.
  names.sort((one, other) => Math.abs(one.along[1]) - Math.abs(other.along[1]));
  layers.names.append(...names.map((arc) => arcName(arc, width, nameBoxes)));
  return draw(
    "svg",
    {
      viewBox: `0 0 ${width} ${height.toFixed(1)}`, class: `network ${planClass(plan)}`,
      role: "img", "aria-label": `${planName(plan)} on the network: ${plans[plan].words}`,
    },
    ...Object.values(layers),
    ...stops.flatMap(([name], number) => stopShapes(name, at(number), {
      isEnd: ends.includes(number), isNamed: isNamed(number), onWay: onWay.has(number),
    })),
  );
}

const fewStops = 30;
const mostNamedArcs = 12;

/** The drawing's size, and where on it a stop is. */
function networkScale(stops, large) {
  const margin = { x: 40, y: 26 };
  const width = large && roomy.matches ? 460 : 350;
  const inner = width - 2 * margin.x;
  const [spanX, spanY] = facts.network.extent;
  const factor = inner / Math.max(spanX, 0.35, spanY * 0.8);
  // A flat network is drawn higher where it has names and little width, so that they have room.
  const stretch = large && !roomy.matches ? Math.min(1.6, Math.max(1, (0.5 * inner) / (spanY * factor || 1))) : 1;
  const height = spanY * factor * stretch + 2 * margin.y;
  const left = margin.x + (inner - spanX * factor) / 2;
  const at = (stop) => [left + stops[stop][1] * factor, height - margin.y - stops[stop][2] * factor * stretch];
  return { width, height, at };
}

function stopShapes(name, [cx, cy], { isEnd, isNamed, onWay }) {
  const r = isEnd ? 7 : isNamed ? 5 : 2;
  const kind = isEnd ? "stop end" : onWay ? "stop way" : "stop";
  const dot = draw("circle", { cx, cy, r, class: kind }, draw("title", {}, name));
  if (!isNamed) return [dot];
  return [dot, write(stopName(name), cx, cy + 19, { "text-anchor": "middle", class: "stop-name" })];
}

const stopName = (name) => fitting(name, 84, 12);

function stopNameBox(name, [cx, cy]) {
  const room = textWidth(stopName(name), 12);
  return nameBox(cx - room / 2, cy + 19, room);
}

function arcShape([x1, y1], [x2, y2], bend, pointed) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [alongX, alongY] = [(x2 - x1) / length, (y2 - y1) / length];
  const control = [(x1 + x2) / 2 - 2 * bend * alongY, (y1 + y2) / 2 + 2 * bend * alongX];
  const middle = [(x1 + x2) / 4 + control[0] / 2, (y1 + y2) / 4 + control[1] / 2];
  const parts = [draw("path", { d: `M${x1},${y1}Q${control[0]},${control[1]} ${x2},${y2}` })];
  if (pointed) parts.push(arrowHead([middle[0] + 7 * alongX, middle[1] + 7 * alongY], [alongX, alongY], 13, 6));
  return { parts, middle, along: [alongX, alongY] };
}

/** The name beside its arc where it covers no other name, if there is such a place; `nameBoxes` keeps the places of names. */
function arcName({ name, middle: [x, y], along: [alongX, alongY] }, width, nameBoxes) {
  const text = fitting(name, 120, 12);
  const room = textWidth(text, 12) * 1.15; // bold
  const centred = x - room / 2;
  const [left, right] = [x - 6 - room, x + 6];
  const [above, below] = alongX * alongY < 0 ? [left, right] : [right, left];
  const starts = Math.abs(alongY) < 0.25
    ? [[centred, y - 9], [centred, y + 18]]
    : [[above, y - 5], [above, y + 4], [below, y + 14], [below, y + 4]];
  const place = starts
    .map(([start, base]) => nameBox(Math.max(2, Math.min(width - 2 - room, start)), base, room))
    .find((one) => !nameBoxes.some((other) => overlap(one, other)));
  if (!place) return "";
  nameBoxes.push(place);
  return write(text, place.start, place.base, { class: "arc-name" });
}

/** What a name of 12 units' height covers, with a little air. */
function nameBox(left, base, room) {
  return { left: left - 2, right: left + room + 2, top: base - 11, bottom: base + 3, start: left, base };
}

function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
