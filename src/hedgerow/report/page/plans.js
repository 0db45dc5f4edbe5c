// The plans: drawn on their network where there is one, listed otherwise, with what differs from the advice.

const mostShown = 12;
const mostListed = 60;

function buildPlans() {
  const host = document.getElementById("plan-cards");
  let latest = null;
  const cards = plans.map((_, plan) => buildCard(plan));
  const rest = cards.slice(mostShown);
  host.append(...cards.slice(0, mostShown).map((card) => card.element));
  if (rest.length) {
    const more = make("details", { class: "more-plans" }, make("summary", {}, `${counted(rest.length, "further plan")}`), make("div", { class: "plan-cards" }, ...rest.map((card) => card.element)));
    more.addEventListener("toggle", refresh);
    host.after(more);
    rest.forEach((card) => {
      card.hidden = () => !more.open;
    });
  }

  function refresh() {
    cards.forEach((card) => card.update(latest));
  }

  return {
    update: (outlook) => {
      if (outlook && latest && outlook.plan === latest.plan) return;
      latest = outlook ?? latest;
      refresh();
    },
  };
}

function buildCard(plan) {
  const body = make("div");
  const tag = make("span", { class: "tag" });
  const places = leaves.filter((leaf) => leaf.plan === plan);
  const samples = places.every((leaf) => leaf.samples !== null) ? `, ${counted(places.reduce((sum, leaf) => sum + leaf.samples, 0), "training sample")}` : "";
  const element = make(
    "article", { class: `card plan-card ${planClass(plan)}` },
    make("h3", {}, badge(plan), " ", planName(plan), " ", tag),
    make("p", { class: "plan-words" }, plans[plan].words),
    make("p", { class: "quiet" }, `${counted(places.length, "rule")}${samples}`),
    body,
  );
  const card = { element, hidden: () => false, update };

  function update(outlook) {
    if (card.hidden()) return;
    const against = outlook && outlook.plan !== plan ? outlook.plan : null;
    element.classList.toggle("advised", outlook !== null && outlook.plan === plan);
    tag.textContent = outlook && outlook.plan === plan ? "advised now" : "";
    body.replaceChildren(facts.network ? drawNetwork(plan, against, false) : listUses(plan, against));
  }

  return card;
}

function listUses(plan, against) {
  const own = new Map(plans[plan].uses);
  const other = new Map(against === null ? plans[plan].uses : plans[against].uses);
  const numbers = [...new Set([...own.keys(), ...other.keys()])].sort((a, b) => a - b);
  const lines = numbers.map((number) => {
    const [mine, theirs] = [own.get(number) ?? 0, other.get(number) ?? 0];
    const kind = mine === theirs ? "same" : mine === 0 ? "dropped" : "added";
    const sign = { same: "", dropped: "− ", added: "+ " }[kind];
    const amount = mine === 0 ? theirs : mine;
    const text = `${sign}${facts.variables[number]}${amount === 1 ? "" : ` × ${shown(amount, 6)}`}`;
    const told = { same: "", dropped: "not in this plan", added: "not, or not as much, in the advised plan" }[kind];
    return { kind, line: make("li", { class: kind, title: told || null }, text) };
  });
  // Differences first: they are what a reader looks for.
  lines.sort((a, b) => (a.kind === "same") - (b.kind === "same"));
  const list = make("ul", { class: "uses" }, ...lines.slice(0, mostListed).map(({ line }) => line));
  if (lines.length > mostListed) list.append(make("li", { class: "quiet" }, `and ${lines.length - mostListed} more`));
  if (!lines.length) list.append(make("li", { class: "quiet" }, "uses nothing"));
  return list;
}

/** The network with a plan's arcs lit; `against` is the plan to tell the differences from. */
function drawNetwork(plan, against, large) {
  const { nodes: stops, arcs, ends } = facts.network;
  const margin = { x: 40, y: 26 };
  const [spanX, spanY] = [1, 2].map((axis) => Math.max(...stops.map((stop) => stop[axis])));
  const width = large && window.innerWidth > 700 ? 460 : 350;
  const inner = width - 2 * margin.x;
  const factor = inner / Math.max(spanX, 0.35, spanY * 0.8);
  const height = spanY * factor + 2 * margin.y;
  const at = (stop) => [margin.x + (inner - spanX * factor) / 2 + stops[stop][1] * factor, height - margin.y - stops[stop][2] * factor];
  const used = new Set(plans[plan].uses.map(([number]) => number));
  const before = against === null ? used : new Set(plans[against].uses.map(([number]) => number));
  const label = `${planName(plan)} on the network: ${plans[plan].words}`;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height.toFixed(1)}`, class: `network ${planClass(plan)}`, role: "img", "aria-label": label });
  const few = stops.length <= 30;
  const layers = { idle: draw("g"), dropped: draw("g"), used: draw("g"), names: draw("g", { class: "names" }) };
  const bends = arcBends(arcs);
  arcs.forEach(([tail, head, name], number) => {
    const kind = used.has(number) ? "used" : before.has(number) ? "dropped" : "idle";
    const shape = arcShape(at(tail), at(head), bends[number], kind === "used");
    const group = draw("g", { class: `arc ${kind}${kind === "used" && !before.has(number) ? " added" : ""}` }, draw("title", {}, name), ...shape.parts);
    layers[kind].append(group);
    if (large && few && used.size <= 12 && kind === "used") {
      layers.names.append(draw("text", { x: shape.middle[0], y: shape.middle[1] - 9, "text-anchor": "middle", class: "arc-name" }, fitting(name, 120, 12)));
    }
  });
  svg.append(...Object.values(layers));
  stops.forEach(([name], number) => {
    const [cx, cy] = at(number);
    const isEnd = ends.includes(number);
    svg.append(draw("circle", { cx, cy, r: isEnd ? 7 : few ? 5 : 2, class: isEnd ? "stop end" : "stop" }, draw("title", {}, name)));
    if (few || isEnd) svg.append(draw("text", { x: cx, y: cy + 19, "text-anchor": "middle", class: "stop-name" }, fitting(name, 84, 12)));
  });
  return svg;
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
  if (pointed) {
    const [tipX, tipY] = [middle[0] + 7 * alongX, middle[1] + 7 * alongY];
    const [backX, backY] = [middle[0] - 6 * alongX, middle[1] - 6 * alongY];
    parts.push(draw("path", { class: "head", d: `M${tipX},${tipY}L${backX - 6 * alongY},${backY + 6 * alongX}L${backX + 6 * alongY},${backY - 6 * alongX}Z` }));
  }
  return { parts, middle };
}
