// The tree as a drawing: every box a question or a plan, the way of today's readings lit.

function buildTree(signal) {
  const host = document.getElementById("tree");
  const svg = host.querySelector("svg");
  const frame = host.querySelector(".tree-window");
  const details = host.querySelector(".node-details");
  frame.classList.toggle("many", manyLeaves);
  host.classList.toggle("tall", leaves.length > 32);
  let drawing = null;
  let latest = null;
  let selected = null;

  function redraw(layout) {
    const focused = drawing ? drawing.groups.indexOf(document.activeElement) : -1;
    drawing = drawTree(layout);
    svg.replaceChildren(drawing.links, ...drawing.groups);
    drawing.groups.forEach((group, number) => listen(group, number, layout.places));
    if (selected !== null) mark();
    light();
    if (focused >= 0) drawing.groups[focused].focus();
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

  function settle() {
    if (latest) reveal(drawing.groups[latest.path.at(-1)], frame);
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

  details.replaceChildren();
  sizeTree(host.querySelector(".tools"), svg, frame, redraw, settle, signal);
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
  const group = draw("g", {
    role: "treeitem", tabindex: number === 0 ? "0" : "-1", "aria-level": place.level + 1, "aria-selected": "false",
  });
  const answer = place.answer ? `${say(place.answer)}: ` : "";
  const lines = [top + (manyLeaves ? 15 : 20), top + (manyLeaves ? 28 : 38)];
  if (place.isLeaf) {
    const { plan, samples } = leaves[node.leaf];
    const { words, letter } = plans[plan];
    const few = samples === null ? "" : counted("samples", samples);
    const [centre, start] = [left + badgeSize + 8, left + 2 * badgeSize + 18];
    group.setAttribute("class", `leaf ${planClass(plan)}${reachable[node.leaf] ? "" : " unreachable"}`);
    group.setAttribute("aria-label", `${answer}${planName(plan)}, ${words}${few ? `, ${few}` : ""}`);
    group.append(
      draw("title", {}, `${planName(plan)}: ${words}`),
      draw("rect", { x, y: top, width, height: box, rx: 8 }),
      draw("circle", { cx: centre, cy: y, r: badgeSize }),
      write(letter, centre, y + 4.5, { class: letter.length > 1 ? "letter pair" : "letter" }),
      write(fitting(words, x + width - start - 10, treeText.words), start, lines[0]),
      write(few || planName(plan), start, lines[1], { class: "faint" }),
    );
    return withAnswer(group, place, layout);
  }
  const [name, question] = questionOf(node);
  group.setAttribute("class", "inner");
  group.setAttribute("aria-label", `${answer}${say("ask.is", { words: condition(node.question, node.threshold) })}`);
  group.setAttribute("aria-expanded", "true");
  group.append(
    draw("title", {}, `${condition(node.question, node.threshold)}?`),
    draw("rect", { x, y: top, width, height: box, rx: 8 }),
    write(fitting(name, x + width - left - 22, treeText.words), left + 12, lines[0]),
    write(fitting(question, x + width - left - 22, treeText.faint), left + 12, lines[1], { class: "faint" }),
  );
  return withAnswer(group, place, layout);
}

function withAnswer(group, place, layout) {
  if (place.answer) {
    const { x, y, ...rest } = layout.answer(place);
    group.append(write(say(place.answer), x, y, { class: "answer", ...rest }));
  }
  return group;
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
    const empty = leaves[node.leaf].samples === 0 ? say("node.empty") : null;
    const all = conditions(node.leaf);
    const when = all.length ? say("node.if", { conditions: inOneList(all) }) : say("always");
    return [
      make("p", {}, badge(plan), " ", make("strong", {}, planName(plan)), `: ${plans[plan].words}`),
      make("p", { class: "quiet" }, [when, samples, empty].filter(Boolean).join(" · ")),
    ];
  }
  const { terms } = questions[node.question];
  const range = terms.length === 1 ? seenInWords(terms[0][0]) : null;
  const different = new Set(below.map((leaf) => leaf.plan)).size;
  const facts = [cellInWords(node), range, samples, say("node.below", { plans: counted("plans", different) })];
  return [
    make("p", {}, say("ask.is", { words: condition(node.question, node.threshold) })),
    make("p", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
  ];
}

/** Scroll the frame, and nothing else, so that the box is in the middle of it. */
function reveal(group, frame) {
  const [inner, outer] = [group.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollLeft += inner.left + inner.width / 2 - outer.left - frame.clientWidth / 2;
  frame.scrollTop += inner.top + inner.height / 2 - outer.top - frame.clientHeight / 2;
}
