// Where the tree's boxes stand: from left to right where that can be read, as an outline on narrow screens.

const manyLeaves = leaves.length > 16;
const treeText = manyLeaves ? { words: 12, faint: 10.5 } : { words: 14, faint: 12.5 };
const [largestScale, smallestScale] = [1.15, 0.86];
const edge = 4;

/** The layout for a width; `smallest` is the scale below which letters from left to right are too small. */
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
    const curve = `C${start + gap / 2},${from.y} ${start + gap / 4},${to.y} ${end},${to.y}`;
    return `M${start},${from.y}${curve}H${to.x}`;
  };
  // Answers stand before their boxes, at the link.
  const answer = ({ y, level, answer: text }) => {
    return { x: edge + level * (node + gap) - 6, y: y + (text === "yes" ? -6 : 15), "text-anchor": "end" };
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
  // Answers stand in their boxes: room across is dear.
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
  const visit = (number, level, parent, answer) => {
    const [node, place] = [nodes[number], places[number]];
    Object.assign(place, { level, parent, answer, order });
    order += 1;
    if (place.isLeaf) {
      return Object.assign(place, { first: node.leaf, last: node.leaf, middle: node.leaf });
    }
    const yes = visit(node.left, level + 1, number, "yes");
    const no = visit(node.right, level + 1, number, "no");
    return Object.assign(place, { first: yes.first, last: no.last, middle: (yes.middle + no.middle) / 2 });
  };
  visit(0, 0, null, null);
  return { places, deepest: Math.max(...places.map((place) => place.level)) };
}

/** How wide boxes are that hold their words, within reason. */
function wantedWidths() {
  const long = (text, size) => (ruler.measureText(text).width * size) / 14;
  const questions = nodes.filter((node) => node.leaf === undefined).map((node) => {
    const [name, question] = questionOf(node);
    return Math.max(long(name, treeText.words), long(question, treeText.faint));
  });
  const words = plans.map((plan) => long(plan.words, treeText.words));
  return {
    node: Math.min(manyLeaves ? 150 : asksSingle ? 172 : 330, Math.max(84, 26 + Math.max(0, ...questions))),
    leaf: Math.min(manyLeaves ? 300 : 440, Math.max(128, 2 * badgeSize + 30 + Math.max(...words))),
  };
}

const badgeSize = manyLeaves ? 11 : 15;

/** The two lines of a question. */
function questionOf({ question, threshold }) {
  const { name, sides } = questions[question];
  const first = sides ? sideName(sides[0]) : name;
  const words = condition(question, threshold);
  return words.startsWith(`${first} `) ? [first, `${words.slice(first.length + 1)}?`] : [name, `${words}?`];
}
