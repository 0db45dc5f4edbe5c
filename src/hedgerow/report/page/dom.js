// Numbers in words, and the few ways in which this page touches the document. Texts only ever become text nodes.

const facts = JSON.parse(document.getElementById("facts").textContent);
const svgSpace = document.querySelector("svg").namespaceURI; // of an empty element that is there for this

/** Whether the window has room for drawings with many units; a phone gets fewer, so that letters stay readable. */
const roomy = window.matchMedia("(min-width: 701px)");

/** A reading or a threshold, with up to ten digits, as Python writes it. */
function shown(value, most = 10) {
  const size = Math.abs(value);
  return size >= 1e12 || (size > 0 && size < 1e-4)
    ? String(Number(value.toPrecision(most)))
    : new Intl.NumberFormat("en", { maximumSignificantDigits: most, useGrouping: false }).format(value);
}

const withUnit = (number, unit = facts.readingUnit) => (unit ? `${number} ${unit}` : number);
const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const joined = (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);

/** Yes or no, or 1 or 0, as a number; NaN for anything else. */
function readFlag(text) {
  const place = ["no", "yes", "0", "1"].indexOf(text.trim().toLowerCase());
  return place < 0 ? NaN : place % 2;
}

/** A number as people write it, with a decimal point or a decimal comma; NaN for anything else. */
function readNumber(text) {
  const plain = text.trim().replace(/[−–]/, "-").replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

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
const planClass = (plan) => `plan-${plan % 8}`;
const planName = (plan) => `Plan ${facts.plans[plan].letter}`;

function badge(plan, extra = "") {
  return make("span", { class: `badge ${planClass(plan)} ${extra}`, "aria-hidden": "true" }, facts.plans[plan].letter);
}

const ruler = document.createElement("canvas").getContext("2d");
ruler.font = `14px ${getComputedStyle(document.body).fontFamily}`;
const textWidth = (text, size) => (ruler.measureText(text).width * size) / 14;

/** The text, cut so that it takes at most `width` units at the given size. */
function fitting(text, width, size = 14) {
  if (textWidth(text, size) <= width) return text;
  const letters = Array.from(text);
  while (letters.length && textWidth(`${letters.join("")}…`, size) > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

function announce(words) {
  const spoken = document.getElementById("spoken");
  if (spoken.textContent !== words) spoken.textContent = words;
}
