// The tree, drawn from left to right: yes goes up, no goes down. It scrolls and zooms, so that 64 leaves fit a phone.

function buildTree() {
  const host = document.getElementById("tree");
  const svg = host.querySelector("svg");
  const frame = host.querySelector(".tree-window");
  const details = host.querySelector(".node-details");
  const layout = layOutTree(frame.clientWidth);
  svg.classList.toggle("many", layout.many);
  svg.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
  const links = new Map();
  const groups = layout.places.map((place, number) => drawNode(place, number, layout));
  layout.places.forEach((place, number) => {
    if (place.parent === null) return;
    links.set(number, drawLink(layout.places[place.parent], place, layout));
  });
  svg.append(draw("g", { "aria-hidden": "true" }, ...links.values()), ...groups);
  zoomTools(host.querySelector(".tools"), svg, frame, layout);

  let current = null;
  let selected = null;
  groups.forEach((group, number) => {
    group.addEventListener("click", () => select(number, true));
    group.addEventListener("keydown", (event) => {
      const next = keyTarget(event.key, number, layout.places);
      if (next === null) return;
      event.preventDefault();
      select(next, true);
    });
    group.addEventListener("focus", () => select(number, false));
  });

  function select(number, focus) {
    selected = number;
    groups.forEach((group, other) => {
      group.setAttribute("tabindex", other === number ? "0" : "-1");
      group.setAttribute("aria-selected", String(other === number));
      group.classList.toggle("selected", other === number);
    });
    details.replaceChildren(...nodeInWords(number, layout.places));
    if (focus && document.activeElement !== groups[number]) groups[number].focus();
  }

  function update(outlook) {
    const lit = new Set(outlook ? outlook.path : []);
    groups.forEach((group, number) => group.classList.toggle("lit", lit.has(number)));
    links.forEach((link, number) => link.classList.toggle("lit", lit.has(number)));
    document.querySelectorAll("tr[data-leaf]").forEach((row) => {
      row.classList.toggle("lit", outlook !== null && Number(row.dataset.leaf) === outlook.leaf);
    });
    if (!outlook || outlook.leaf === current) return;
    current = outlook.leaf;
    reveal(layout.places[outlook.path.at(-1)], svg, frame, layout);
    if (selected === null || nodes[selected].leaf !== undefined) {
      if (!host.contains(document.activeElement)) select(outlook.path.at(-1), false);
    }
  }

  return { update };
}

/** Sizes by the number of leaves and the room there is; leaves are as wide as their words, within reason. */
function measureTree(room) {
  const many = leaves.length > 16;
  if (room < 560) return { many, node: 128, leaf: 150, gap: 36, row: many ? 40 : 58, box: many ? 34 : 46 };
  const longest = Math.max(...plans.map((plan) => ruler.measureText(plan.words).width));
  const between = (low, wanted, high) => Math.min(Math.max(wanted, low), high);
  if (many) return { many, node: 150, leaf: between(130, longest * 0.86 + 54, 260), gap: 48, row: 40, box: 34 };
  return { many, node: 172, leaf: between(150, longest + 64, 330), gap: 68, row: 66, box: 48 };
}

function layOutTree(room) {
  const measures = measureTree(room);
  const places = [];
  let leafCount = 0;
  let deepest = 0;
  const visit = (number, level, parent, answer) => {
    const node = nodes[number];
    const place = { level, parent, answer, isLeaf: node.leaf !== undefined };
    places[number] = place;
    deepest = Math.max(deepest, level);
    if (place.isLeaf) {
      place.y = (leafCount + 0.5) * measures.row;
      place.first = place.last = node.leaf;
      leafCount += 1;
    } else {
      const yes = visit(node.left, level + 1, number, "yes");
      const no = visit(node.right, level + 1, number, "no");
      place.y = (yes.y + no.y) / 2;
      place.first = yes.first;
      place.last = no.last;
    }
    return place;
  };
  visit(0, 0, null, null);
  for (const place of places) {
    place.x = 4 + (place.isLeaf ? deepest : place.level) * (measures.node + measures.gap);
    place.width = place.isLeaf ? measures.leaf : measures.node;
  }
  return {
    ...measures, places,
    width: 8 + deepest * (measures.node + measures.gap) + measures.leaf,
    height: leafCount * measures.row,
  };
}

function drawNode(place, number, { box, many }) {
  const node = nodes[number];
  const { x, y, width } = place;
  const top = y - box / 2;
  const group = draw("g", {
    role: "treeitem", tabindex: number === 0 ? "0" : "-1", "aria-level": place.level + 1, "aria-selected": "false",
  });
  const answer = place.answer ? `${place.answer}: ` : "";
  const lines = [top + (many ? 15 : 20), top + (many ? 28 : 38)];
  if (place.isLeaf) {
    const { plan, samples } = leaves[node.leaf];
    const { words, letter } = plans[plan];
    const few = samples === null ? "" : counted(samples, "sample");
    group.setAttribute("class", `leaf ${planClass(plan)}${reachable[node.leaf] ? "" : " unreachable"}`);
    group.setAttribute("aria-label", `${answer}${planName(plan)}, ${words}${few ? `, ${few}` : ""}`);
    const size = many ? 11 : 15;
    group.append(
      draw("title", {}, `${planName(plan)}: ${words}`),
      draw("rect", { x, y: top, width, height: box, rx: 8 }),
      draw("circle", { cx: x + size + 8, cy: y, r: size }),
      write(letter, x + size + 8, y + 4.5, { class: letter.length > 1 ? "letter pair" : "letter" }),
      write(fitting(words, width - 2 * size - 28, many ? 12 : 14), x + 2 * size + 18, lines[0]),
      write(few || planName(plan), x + 2 * size + 18, lines[1], { class: "faint" }),
    );
    return group;
  }
  const { name } = items[node.item];
  const question = `≤ ${withUnit(node.threshold, facts.readingUnit, 10)}?`;
  group.setAttribute("class", "inner");
  group.setAttribute("aria-label", `${answer}is ${name} at most ${withUnit(node.threshold, facts.readingUnit, 10)}?`);
  group.setAttribute("aria-expanded", "true");
  group.append(
    draw("title", {}, `${name} ${question}`),
    draw("rect", { x, y: top, width, height: box, rx: 8 }),
    write(fitting(name, width - 22, many ? 12 : 14), x + 12, lines[0]),
    write(fitting(question, width - 22, many ? 11 : 13), x + 12, lines[1], { class: "faint" }),
  );
  return group;
}

function drawLink(from, to, { gap }) {
  const start = from.x + from.width;
  const end = start + gap;
  const curve = `C${start + gap / 2},${from.y} ${start + gap / 4},${to.y} ${end},${to.y}`;
  const label = write(to.answer, end - 6, to.y + (to.answer === "yes" ? -6 : 15), { class: "answer" });
  return draw("g", { class: "link" }, draw("path", { d: `M${start},${from.y}${curve}H${to.x}` }), label);
}

/** Where a key leads: the ways of a tree widget. */
function keyTarget(key, number, places) {
  const node = nodes[number];
  const last = nodes.length - 1;
  const targets = {
    ArrowLeft: places[number].parent,
    ArrowRight: node.left ?? null,
    ArrowUp: number > 0 ? number - 1 : null,
    ArrowDown: number < last ? number + 1 : null,
    Home: 0,
    End: last,
    Enter: number,
    " ": number,
  };
  return targets[key] ?? null;
}

function nodeInWords(number, places) {
  const node = nodes[number];
  const place = places[number];
  const below = leaves.slice(place.first, place.last + 1);
  const samples = samplesOf(below);
  if (place.isLeaf) {
    const { plan } = leaves[node.leaf];
    const conditions = [...boxes[node.leaf]].map(([item, { lower, upper }]) => {
      const low = lower > -Infinity ? ` > ${shown(lower)}` : "";
      const high = upper < Infinity ? ` ≤ ${shown(upper)}` : "";
      return `${items[item].name}${low}${low && high ? " and" : ""}${high}`;
    });
    const empty = leaves[node.leaf].samples === 0 ? "it is there for readings unlike those seen so far" : null;
    const when = conditions.length ? `If ${conditions.join(", ")}` : "Always";
    return [
      make("p", {}, badge(plan), " ", make("strong", {}, planName(plan)), `: ${plans[plan].words}`),
      make("p", { class: "quiet" }, [when, samples, empty].filter(Boolean).join(" · ")),
    ];
  }
  const { name, seen } = items[node.item];
  const different = new Set(below.map((leaf) => leaf.plan)).size;
  const range = seen ? `seen from ${shown(seen[0])} to ${withUnit(seen[1], facts.readingUnit, 10)}` : null;
  return [
    make("p", {}, "Is ", make("strong", {}, name), ` at most ${withUnit(node.threshold, facts.readingUnit, 17)}?`),
    make("p", { class: "quiet" }, [range, samples, `${counted(different, "plan")} below`].filter(Boolean).join(" · ")),
  ];
}

const smallestText = 0.68;
const largestText = 1.15;

function zoomTools(tools, svg, frame, layout) {
  let scale = 1;
  const apply = (wanted) => {
    scale = Math.min(2, Math.max(0.15, wanted));
    svg.setAttribute("width", layout.width * scale);
    svg.setAttribute("height", layout.height * scale);
  };
  const whole = () => (frame.clientWidth - 2) / layout.width;
  const button = (text, label, act) => {
    const made = make("button", { type: "button", class: "plain", "aria-label": label }, text);
    made.addEventListener("click", act);
    return made;
  };
  tools.append(
    button("−", "Smaller", () => apply(scale / 1.25)),
    button("+", "Larger", () => apply(scale * 1.25)),
    button("Fit", "Fit the tree to the page", () => apply(Math.min(largestText, whole()))),
  );
  apply(Math.max(smallestText, Math.min(largestText, whole())));
}

/** Scroll the frame, and nothing else, so that the place can be seen. */
function reveal(place, svg, frame, layout) {
  const scale = svg.clientWidth / layout.width || 1;
  const middle = place.y * scale - frame.clientHeight / 2;
  if (frame.scrollHeight > frame.clientHeight) frame.scrollTop = middle;
}
