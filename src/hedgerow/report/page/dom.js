// The few ways in which this page touches the document. Texts only ever become text nodes.

const svgSpace = document.querySelector("svg")?.namespaceURI;

/** Whether the window has room for drawings with many units; a phone gets fewer, so that letters stay readable. */
const roomy = window.matchMedia("(min-width: 701px)");

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(svgSpace, tag), attributes, children);
}

/** Words in a drawing. */
function write(text, x, y, attributes = {}) {
  return draw("text", { x, y, ...attributes }, text);
}

/** The head of an arrow: a triangle from its tip back along the unit vector (alongX, alongY). */
function arrowHead([tipX, tipY], [alongX, alongY], length, wing) {
  const [backX, backY] = [tipX - length * alongX, tipY - length * alongY];
  const [sideX, sideY] = [-wing * alongY, wing * alongX];
  const d = `M${tipX},${tipY}L${backX + sideX},${backY + sideY}L${backX - sideX},${backY - sideY}Z`;
  return draw("path", { class: "head", d });
}

function button(text, act, attributes = {}) {
  const made = make("button", { type: "button", class: "plain", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

/** The class that gives an element its plan's colour; letters tell plans apart where colours repeat. */
function planClass(plan) {
  return `plan-${plan % 8}`;
}

function badge(plan, extra = "") {
  return make("span", { class: `badge ${planClass(plan)} ${extra}`, "aria-hidden": "true" }, facts.plans[plan].letter);
}

const ruler = document.createElement("canvas").getContext("2d");
ruler.font = `14px ${getComputedStyle(document.body).fontFamily}`;

/** The text, cut so that it takes at most `width` units at the given size. */
function fitting(text, width, size = 14) {
  const wide = (part) => (ruler.measureText(part).width * size) / 14 > width;
  if (!wide(text)) return text;
  const letters = Array.from(text);
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (wide(`${letters.slice(0, middle).join("")}…`)) high = middle - 1;
    else low = middle;
  }
  return `${letters.slice(0, low).join("").trimEnd()}…`;
}
