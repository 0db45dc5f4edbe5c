// The tree as a drawing: every box a question or a plan, the way of today's readings lit.

const manyLeaves = leaves.length > 16;
const treeText = manyLeaves ? { words: 12, faint: 10.5 } : { words: 14, faint: 12.5 };
const badgeSize = manyLeaves ? 11 : 15;
const [largestScale, smallestScale] = [1.15, 0.86];
const edge = 4;

/** The width of what is printed on a sheet, in units of the page, and how small a tree may get there. */
const sheet = { room: 640, smallest: 0.6 };

function buildTree() {
  const host = document.getElementById("tree");
  const svg = host.querySelector("svg");
  const frame = host.querySelector(".tree-window");
  const details = host.querySelector(".node-details");
  frame.classList.toggle("many", manyLeaves);
  host.classList.toggle("tall", leaves.length > 32);
  let [drawing, latest, selected, room] = [null, null, null, null];

  /** Draw the tree as wide as its room: what is printed has another width, and nothing to scroll. */
  function lay(width, smallest) {
    const layout = layOutTree(width, smallest);
    const focused = drawing ? drawing.groups.indexOf(document.activeElement) : -1;
    drawing = drawTree(layout);
    svg.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    svg.setAttribute("width", layout.width * layout.scale);
    svg.setAttribute("height", layout.height * layout.scale);
    svg.replaceChildren(drawing.links, ...drawing.groups);
    drawing.groups.forEach((group, number) => listen(group, number, layout.places));
    if (selected !== null) mark();
    light();
    if (focused >= 0) drawing.groups[focused].focus();
  }

  function fit() {
    room = frame.clientWidth;
    lay(room, smallestScale);
    settle();
  }

  function listen(group, number, places) {
    group.addEventListener("click", () => select(number, true));
    group.addEventListener("keydown", (event) => {
      const next = keyTarget(event.key, number, places);
      if (next === null) return;
      event.preventDefault();
      select(next, true);
    });
    group.addEventListener("focus", () => select(number, false));
  }

  function select(number, focus) {
    selected = number;
    mark();
    details.replaceChildren(...nodeInWords(number, drawing.places));
    if (focus && document.activeElement !== drawing.groups[number]) drawing.groups[number].focus();
  }

  function mark() {
    drawing.groups.forEach((group, other) => {
      group.setAttribute("tabindex", other === selected ? "0" : "-1");
      group.setAttribute("aria-selected", String(other === selected));
      group.classList.toggle("selected", other === selected);
    });
  }

  function light() {
    const lit = new Set(latest ? latest.path : []);
    drawing.groups.forEach((group, number) => group.classList.toggle("lit", lit.has(number)));
    drawing.linkTo.forEach((link, number) => {
      link.classList.toggle("lit", lit.has(number));
      // Links share their first stretch: the lit one lies on top.
      if (lit.has(number)) drawing.links.append(link);
    });
  }

  /** Scroll the frame, and nothing else, so that the box that is reached is in the middle of it. */
  function settle() {
    if (!latest) return;
    const inner = drawing.groups[latest.path.at(-1)].getBoundingClientRect();
    const outer = frame.getBoundingClientRect();
    frame.scrollLeft += inner.left + inner.width / 2 - outer.left - frame.clientWidth / 2;
    frame.scrollTop += inner.top + inner.height / 2 - outer.top - frame.clientHeight / 2;
  }

  function update(outlook) {
    const before = latest;
    latest = outlook;
    light();
    document.querySelectorAll("tr[data-leaf]").forEach((row) => {
      row.classList.toggle("lit", Number(row.dataset.leaf) === outlook.leaf);
    });
    const reached = outlook.path.at(-1);
    if (before && reached === before.path.at(-1)) return;
    settle();
    if (!host.contains(document.activeElement)) select(reached, false);
  }

  window.addEventListener("resize", () => {
    if (frame.clientWidth !== room) fit();
  });
  window.addEventListener("beforeprint", () => lay(sheet.room, sheet.smallest));
  window.addEventListener("afterprint", fit);
  fit();
  return { update };
}

function drawTree(layout) {
  const { places } = layout;
  const linkTo = new Map();
  places.forEach((place, number) => {
    if (place.parent === null) return;
    linkTo.set(number, draw("path", { class: "link", d: layout.link(places[place.parent], place) }));
  });
  return {
    places,
    linkTo,
    links: draw("g", { "aria-hidden": "true" }, ...linkTo.values()),
    groups: places.map((place, number) => drawNode(place, number, layout)),
  };
}

function drawNode(place, number, layout) {
  const node = nodes[number];
  const { x, y, width } = place;
  const { box } = layout;
  const top = y - box / 2;
  const left = x + (place.answer ? layout.inset : 0);
  const lines = [top + (manyLeaves ? 15 : 20), top + (manyLeaves ? 28 : 38)];
  const answer = place.answer ? `${place.answer}: ` : "";
  const group = draw(
    "g", { role: "treeitem", tabindex: number === 0 ? "0" : "-1", "aria-level": place.level + 1, "aria-selected": "false" },
    draw("rect", { x, y: top, width, height: box, rx: 8 }),
  );
  const text = (words, at, size, line, kind) => write(fitting(words, x + width - at - 10, size), at, lines[line], { class: kind });
  if (place.isLeaf) {
    const { plan, samples } = leaves[node.leaf];
    const { words, letter } = plans[plan];
    const few = samples === null ? planName(plan) : samples === 0 ? "no sample as read" : counted(samples, "sample");
    const [centre, start] = [left + badgeSize + 8, left + 2 * badgeSize + 18];
    group.setAttribute("class", `leaf ${planClass(plan)}${reachable[node.leaf] ? "" : " unreachable"}`);
    group.setAttribute("aria-label", `${answer}${planName(plan)}, ${words}${samples === null ? "" : `, ${few}`}`);
    group.append(
      draw("title", {}, `${planName(plan)}: ${words}`),
      draw("circle", { cx: centre, cy: y, r: badgeSize }),
      write(letter, centre, y + 4.5, { class: letter.length > 1 ? "letter pair" : "letter" }),
      text(words, start, treeText.words, 0), text(few, start, treeText.faint, 1, "faint"),
    );
  } else {
    const [name, question] = node.lines;
    group.setAttribute("class", "inner");
    group.setAttribute("aria-label", `${answer}${node.asks}`);
    group.setAttribute("aria-expanded", "true");
    group.append(
      draw("title", {}, node.asks),
      text(name, left + 12, treeText.words, 0), text(question, left + 12, treeText.faint, 1, "faint"),
    );
  }
  if (place.answer) {
    const { x: at, y: base, ...rest } = layout.answer(place);
    group.append(write(place.answer, at, base, { class: "answer", ...rest }));
  }
  return group;
}

/** Where a key leads: the ways of a tree widget. */
function keyTarget(key, number, places) {
  const last = nodes.length - 1;
  const targets = {
    ArrowLeft: places[number].parent,
    ArrowRight: nodes[number].left ?? null,
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
  const below = leaves.slice(places[number].first, places[number].last + 1);
  const samples = samplesOf(below);
  const basis = samples === null ? null : samples === 0 ? facts.emptyInWords : counted(samples, "training sample");
  if (node.leaf !== undefined) {
    const { plan, conditions } = leaves[node.leaf];
    const all = conditions.map(([, words]) => words);
    return [
      make("p", {}, badge(plan), " ", make("strong", {}, planName(plan)), `: ${plans[plan].words}`),
      make("p", { class: "quiet" }, [all.length ? `If ${joined(all)}` : "always", basis].filter(Boolean).join(" · ")),
    ];
  }
  const { terms } = questions[node.question];
  const range = terms.length === 1 ? items[terms[0][0]].seenInWords : null;
  const different = `${counted(new Set(below.map((leaf) => leaf.plan)).size, "plan")} below`;
  return [
    make("p", {}, node.asks),
    make("p", { class: "quiet" }, [node.cell, range, basis, different].filter(Boolean).join(" · ")),
  ];
}

/** Where the boxes stand: from left to right where letters are not too small then, else as an outline. */
function layOutTree(room, smallest) {
  const across = layOutAcross(room);
  return across.scale >= smallest ? across : layOutDown(room);
}

/** Yes goes up, no goes down; all leaves stand in the last column. What room there is goes to the leaves' words first. */
function layOutAcross(room) {
  const { places, deepest } = walkTree();
  const { node, leaf: wanted } = wantedWidths();
  const [narrowGap, wideGap] = manyLeaves ? [34, 48] : [36, 68];
  const [row, box] = manyLeaves ? [40, 34] : [leaves.length > 8 ? 54 : 66, 46];
  const narrowLeaf = Math.min(wanted, 150);
  const spare = Math.max(0, room - 2 * edge - deepest * (node + narrowGap) - narrowLeaf);
  const leaf = Math.min(wanted, narrowLeaf + spare);
  const gap = Math.min(wideGap, narrowGap + (spare - leaf + narrowLeaf) / Math.max(deepest, 1));
  for (const place of places) {
    place.x = edge + (place.isLeaf ? deepest : place.level) * (node + gap);
    place.y = (place.middle + 0.5) * row;
    place.width = place.isLeaf ? leaf : node;
  }
  const link = (from, to) => {
    const start = from.x + from.width;
    const end = start + gap;
    return `M${start},${from.y}C${start + gap / 2},${from.y} ${start + gap / 4},${to.y} ${end},${to.y}H${to.x}`;
  };
  // Answers stand before their boxes, at the link.
  const answer = ({ y, level, isLeft }) => {
    return { x: edge + level * (node + gap) - 6, y: y + (isLeft ? -6 : 15), "text-anchor": "end" };
  };
  return finished(places, leaves.length * row, room, { box, link, answer, inset: 0 });
}

/** One box below the other, what follows an answer set in from its question. */
function layOutDown(room) {
  const { places } = walkTree();
  const { node, leaf } = wantedWidths();
  const [row, box] = manyLeaves ? [40, 34] : [54, 46];
  const [indent, inset] = [20, manyLeaves ? 26 : 29];
  for (const place of places) {
    place.x = edge + place.level * indent;
    place.y = (place.order + 0.5) * row;
    place.width = Math.min(inset + (place.isLeaf ? leaf : node), Math.max(110, room - edge - place.x));
  }
  const link = (from, to) => {
    const [trunk, bend] = [from.x + 8, 6];
    return `M${trunk},${from.y}V${to.y - bend}q0,${bend} ${bend},${bend}H${to.x}`;
  };
  // Answers stand in their boxes: there is little room across.
  const answer = ({ x, y }) => ({ x: x + 9, y: y + 4 });
  return finished(places, places.length * row, room, { box, link, answer, inset });
}

function finished(places, height, room, rest) {
  const width = edge + Math.max(...places.map((place) => place.x + place.width));
  return { ...rest, places, width, height, scale: Math.min(largestScale, room / width) };
}

/** Per node its level, its parent, the answer that leads to it, its order from the top and the leaves below it. */
function walkTree() {
  const places = nodes.map((node) => ({ isLeaf: node.leaf !== undefined }));
  let order = 0;
  const visit = (number, level, parent, answer, isLeft) => {
    const [node, place] = [nodes[number], places[number]];
    Object.assign(place, { level, parent, answer, isLeft, order });
    order += 1;
    if (place.isLeaf) return Object.assign(place, { first: node.leaf, last: node.leaf, middle: node.leaf });
    const yes = visit(node.left, level + 1, number, node.answers[0], true);
    const no = visit(node.right, level + 1, number, node.answers[1], false);
    return Object.assign(place, { first: yes.first, last: no.last, middle: (yes.middle + no.middle) / 2 });
  };
  visit(0, 0, null, null);
  return { places, deepest: Math.max(...places.map((place) => place.level)) };
}

/** How wide boxes are that hold their words, within reason. */
function wantedWidths() {
  const lines = nodes.flatMap(({ lines: pair }) => (pair ? [textWidth(pair[0], treeText.words), textWidth(pair[1], treeText.faint)] : []));
  const words = plans.map((plan) => textWidth(plan.words, treeText.words));
  return {
    node: Math.min(manyLeaves ? 150 : asksSingle ? 172 : 330, Math.max(84, 26 + Math.max(0, ...lines))),
    leaf: Math.min(manyLeaves ? 300 : 440, Math.max(150, 2 * badgeSize + 30 + Math.max(...words))),
  };
}
