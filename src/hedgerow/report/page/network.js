// A plan drawn on the problem's network.

/** The network with a plan's arcs lit; `against` is the plan to tell the differences from. */
function drawNetwork(plan, against, large) {
  const { nodes: stops, arcs, ends } = facts.network;
  const { width, height, at } = networkScale(stops, large);
  const used = new Set(plans[plan].uses.map(([number]) => number));
  const before = against === null ? used : new Set(plans[against].uses.map(([number]) => number));
  const few = stops.length <= fewStops;
  const named = large && few && used.size <= mostNamedArcs;
  const layers = { idle: draw("g"), dropped: draw("g"), used: draw("g"), names: draw("g") };
  const bends = arcBends(arcs);
  arcs.forEach(([tail, head, name], number) => {
    const kind = used.has(number) ? "used" : before.has(number) ? "dropped" : "idle";
    const { parts, middle } = arcShape(at(tail), at(head), bends[number], kind === "used");
    layers[kind].append(draw("g", { class: `arc ${kind}` }, draw("title", {}, name), ...parts));
    if (named && kind === "used") {
      const [x, y] = middle;
      layers.names.append(write(fitting(name, 120, 12), x, y - 9, { "text-anchor": "middle", class: "arc-name" }));
    }
  });
  return draw(
    "svg",
    {
      viewBox: `0 0 ${width} ${height.toFixed(1)}`, class: `network ${planClass(plan)}`,
      role: "img", "aria-label": `${planName(plan)} on the network: ${plans[plan].words}`,
    },
    ...Object.values(layers),
    ...stops.flatMap(([name], number) => stopShapes(name, at(number), ends.includes(number), few)),
  );
}

const fewStops = 30;
const mostNamedArcs = 12;

/** The drawing's size, and where on it a stop is; a phone gets fewer units, so that letters stay readable. */
function networkScale(stops, large) {
  const margin = { x: 40, y: 26 };
  const width = large && window.innerWidth > 700 ? 460 : 350;
  const inner = width - 2 * margin.x;
  const [spanX, spanY] = [1, 2].map((axis) => Math.max(...stops.map((stop) => stop[axis])));
  const factor = inner / Math.max(spanX, 0.35, spanY * 0.8);
  const height = spanY * factor + 2 * margin.y;
  const left = margin.x + (inner - spanX * factor) / 2;
  return { width, height, at: (stop) => [left + stops[stop][1] * factor, height - margin.y - stops[stop][2] * factor] };
}

function stopShapes(name, [cx, cy], isEnd, few) {
  const r = isEnd ? 7 : few ? 5 : 2;
  const dot = draw("circle", { cx, cy, r, class: isEnd ? "stop end" : "stop" }, draw("title", {}, name));
  if (!few && !isEnd) return [dot];
  return [dot, write(fitting(name, 84, 12), cx, cy + 19, { "text-anchor": "middle", class: "stop-name" })];
}

/** Per arc how far it bends aside: arcs between the same two nodes must not hide each other. */
function arcBends(arcs) {
  const seen = new Map();
  return arcs.map(([tail, head]) => {
    const pair = `${Math.min(tail, head)} ${Math.max(tail, head)}`;
    const count = seen.get(pair) ?? 0;
    seen.set(pair, count + 1);
    return count * 14 * (tail <= head ? 1 : -1);
  });
}

function arcShape([x1, y1], [x2, y2], bend, pointed) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [alongX, alongY] = [(x2 - x1) / length, (y2 - y1) / length];
  const control = [(x1 + x2) / 2 - 2 * bend * alongY, (y1 + y2) / 2 + 2 * bend * alongX];
  const middle = [(x1 + x2) / 4 + control[0] / 2, (y1 + y2) / 4 + control[1] / 2];
  const parts = [draw("path", { d: `M${x1},${y1}Q${control[0]},${control[1]} ${x2},${y2}` })];
  if (pointed) parts.push(arrowHead([middle[0] + 7 * alongX, middle[1] + 7 * alongY], [alongX, alongY], 13, 6));
  return { parts, middle };
}
