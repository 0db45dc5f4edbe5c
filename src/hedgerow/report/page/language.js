// The page's language: texts by key, and numbers, lists and dates as people write them there.

const facts = JSON.parse(document.getElementById("facts").textContent);
const speech = {};

function speak(name) {
  const texts = facts.languages[name];
  Object.assign(speech, { name, texts, locale: texts.locale, plural: new Intl.PluralRules(texts.locale) });
  document.documentElement.lang = name;
  document.querySelectorAll("[data-say]").forEach((node) => {
    node.textContent = said(JSON.parse(node.dataset.say));
  });
  document.querySelectorAll("[data-say-label]").forEach((node) => {
    node.setAttribute("aria-label", said(JSON.parse(node.dataset.sayLabel)));
  });
}

/** The language to start with: the one that was asked for, else the browser's, as far as it is known here. */
function firstLanguage() {
  if (facts.language) return facts.language;
  const wanted = navigator.languages.map((name) => name.split("-")[0]);
  return wanted.find((name) => name in facts.languages) ?? document.documentElement.lang;
}

/** A text; names in braces stand for values, and the count n picks the form. */
function say(key, values = {}) {
  const text = speech.texts[key];
  const form = typeof text === "string" ? text : text[speech.plural.select(values.n)] ?? text.other;
  return form.replace(/\{(\w+)\}/g, (_, name) => valueInWords(values[name]));
}

function said([key, values]) {
  return say(key, values);
}

function valueInWords(value) {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isInteger(value) ? grouped(value) : figured(value);
  if (Array.isArray(value)) return said(value);
  if ("all" in value) return inOneList(value.all.map(valueInWords));
  if ("share" in value) return `${digits(100 * value.share, 3)}\u00a0%`;
  return withUnit("reading" in value ? shown(value.reading) : figured(value.figure), value.unit);
}

function inOneList(parts) {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${say("and")} ${parts.at(-1)}`;
}

function withUnit(number, unit = facts.readingUnit) {
  return unit ? `${number} ${unit}` : number;
}

/** A reading or a threshold, with up to ten digits; a figure, with those that matter; a count. */
const shown = (value, most = 10) => digits(value, most, false);
const figured = (value) => digits(value, Math.abs(value) < 10 ? 3 : Math.max(4, String(Math.trunc(Math.abs(value))).length));
const grouped = (value) => digits(value, 17);

function digits(value, most, useGrouping = true) {
  const size = Math.abs(value);
  const text = size >= 1e12 || (size > 0 && size < 1e-4)
    ? String(Number(value.toPrecision(Math.min(most, 17)))).replace(".", speech.texts.decimal)
    : new Intl.NumberFormat(speech.locale, { maximumSignificantDigits: most, useGrouping }).format(value);
  return text.replace("-", "−");
}

/** A text in which some values are marked: an element for each value that is one. */
function sayWith(key, values) {
  return speech.texts[key].split(/(\{\w+\})/).filter(Boolean).map((part) => {
    const value = part.startsWith("{") ? values[part.slice(1, -1)] : part;
    return value instanceof Node ? value : valueInWords(value);
  });
}

const counted = (noun, n) => say(`count.${noun}`, { n });
const planName = (plan) => say("plan", { letter: facts.plans[plan].letter });
