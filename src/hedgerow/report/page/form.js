// The form: a row for every reading that the tree asks about, in the order of the data. What kind of reading it is decides
// how it is taken.

const controls = { number: numberControl, flag: flagControl, category: categoryControl };

function buildForm(onChange) {
  const host = document.getElementById("readings");
  host.addEventListener("submit", (event) => event.preventDefault());
  if (!items.length) {
    host.append(make("p", { class: "quiet" }, "These rules ask for no reading: the same plan is advised every time."));
    return { values: () => [], examples: () => [], set() {}, update() {} };
  }
  // The sets of values that rules ask about of one category are one field.
  const columns = [...new Set(items.map(({ name, kind }, number) => (kind === "category" ? name : number)))];
  const numbersOf = (column) => (typeof column === "number" ? [column] : items.flatMap(({ name, kind }, number) => (kind === "category" && name === column ? [number] : [])));
  const rows = columns.map((column) => buildRow(numbersOf(column), onChange));
  const hasExample = items.every((item) => item.example !== null);
  const note = make("p", { class: "outside", role: "status" });
  const tools = make("div", { class: "form-tools" }, button("Clear", () => set(items.map(() => ""))));
  if (hasExample) tools.append(button("Example", () => set(items.map((item) => item.example), true)));
  if (facts.fillIns) tools.append(button("Fill in what is missing", fillIn, { title: facts.fillIns }));
  host.append(make("h3", {}, "What do you read today?"), ...rows.map((row) => row.element), note, tools);
  host.classList.toggle("long", items.length > 6);
  host.addEventListener("paste", paste);
  if (hasExample) rows.forEach((row) => row.set(row.numbers.map((number) => items[number].example), true));

  function set(wanted, asExample = false) {
    rows.forEach((row) => row.set(row.numbers.map((number) => wanted[number]), asExample));
    note.textContent = "";
    onChange();
  }

  /** For a missing reading another one stands in, or its usual value, as in Python's `advise`. */
  function fillIn() {
    const typed = values();
    rows.forEach((row) => {
      const { usual, substitutes } = items[row.numbers[0]];
      if (usual === null || Number.isFinite(typed[row.numbers[0]])) return;
      const substitute = substitutes.find(([place]) => Number.isFinite(typed[place]));
      row.set([substitute ? typed[substitute[0]] + substitute[1] : usual]);
    });
    note.textContent = facts.fillIns;
    onChange();
  }

  function values() {
    const found = [];
    rows.forEach((row) => row.read().forEach((value, place) => { found[row.numbers[place]] = value; }));
    return found;
  }

  /** A row of a spreadsheet goes into the fields from this one on. */
  function paste(event) {
    const first = rows.findIndex((row) => row.element.contains(event.target));
    const text = event.clipboardData.getData("text").trim();
    const cells = text.split(text.includes("\t") ? /[\t\r\n]/ : /[;\s]+/);
    if (first < 0 || cells.length < 2) return;
    event.preventDefault();
    const fields = rows.slice(first);
    fields.slice(0, cells.length).forEach((row, place) => row.type(cells[place].trim()));
    const surplus = cells.length - fields.length;
    note.textContent = surplus > 0 ? `${counted(cells.length, "value")} pasted, ${counted(fields.length, "field")} filled: check that they belong together.` : "";
    onChange();
  }

  return {
    set,
    values,
    examples: () => rows.flatMap((row) => (row.isExample() ? row.numbers : [])),
    update: (outlook) => rows.forEach((row) => row.update(outlook)),
  };
}

function buildRow(numbers, onChange) {
  const [number] = numbers;
  const item = items[number];
  const id = `reading-${number}`;
  let isExample = false;
  const control = controls[item.kind](numbers, id, () => {
    isExample = false;
    onChange();
  });
  const strip = make("div", { class: "strip", "aria-hidden": "true" });
  const holds = make("p", { class: "holds", id: `${id}-holds` });
  const mark = make("span", { class: "tag example" }, "example");
  const name = make(control.labels ? "label" : "span", { class: "name", id: `${id}-name`, for: control.labels }, item.name);
  const head = make("div", { class: "reading-head" }, name, make("span", { class: "field" }, mark, ...control.field));
  const element = make("div", { class: "reading" }, head, ...control.below, ...(item.kind === "number" ? [strip] : []), holds);

  function set(values, asExample = false) {
    control.write(values);
    isExample = asExample;
  }

  function type(text) {
    control.type(text);
    isExample = false;
  }

  function update(outlook) {
    const value = outlook.values[number];
    const missing = !Number.isFinite(value);
    const wanted = outlook.ask !== null && neededAt(outlook.ask, outlook.values).some((each) => numbers.includes(each));
    element.classList.toggle("example", isExample);
    element.classList.toggle("unread", missing);
    element.classList.toggle("wanted", wanted);
    element.classList.toggle("asked", wanted || outlook.path.some((node) => readAt(nodes[node]).some((each) => numbers.includes(each))));
    mark.hidden = !isExample;
    const plan = outlook.plan === null ? "" : `, ${planName(outlook.plan)}`;
    const isUnreadable = control.show(value, plan);
    strip.replaceChildren();
    if (missing) {
      const need = outlook.plan !== null ? "Not needed: the advice is sure without it." : wanted ? "Needed now." : "Not needed yet.";
      const words = isUnreadable ? make("span", { class: "outside" }, "This is not a number.") : need;
      holds.replaceChildren(words, ` ${item.seenInWords}`);
      return;
    }
    if (item.kind === "number") {
      const stretches = alongItem(outlook.values, number);
      paintStrip(strip, stretches, item);
      holds.replaceChildren(holdsInWords(stretches.find(({ upper }) => value <= upper), stretches));
    } else {
      holds.replaceChildren(choicesInWords(numbers, control.choices, outlook.values));
    }
    if (isOutside(number, value)) holds.append(make("span", { class: "outside" }, ` Outside experience (${item.seenInWords}).`));
  }

  return { numbers, element, read: control.read, set, type, update, isExample: () => isExample };
}

/** A field for a number, and a slider below it. */
function numberControl([number], id, onChange) {
  const item = items[number];
  const field = make("input", { type: "text", id, inputmode: "decimal", "aria-describedby": `${id}-holds` });
  const range = { type: "range", min: item.low, max: item.high, step: item.step };
  const slider = make("input", { ...range, "aria-label": `${item.name}, slider` });
  const read = () => readNumber(field.value);
  const follow = () => { if (Number.isFinite(read())) slider.value = read(); };
  field.addEventListener("input", () => { follow(); onChange(); });
  slider.addEventListener("input", () => { field.value = slider.value; onChange(); });
  const unit = item.unit ? [make("span", { class: "unit" }, item.unit)] : [];

  function show(value, plan) {
    const isUnreadable = Number.isNaN(value) && field.value.trim() !== "";
    field.setAttribute("aria-invalid", String(isUnreadable));
    slider.setAttribute("aria-valuetext", `${withUnit(shown(value), item.unit)}${plan}`);
    return isUnreadable;
  }

  const type = (text) => { field.value = text; follow(); };
  return { labels: id, field: [field, ...unit], below: [slider], read: () => [read()], write: ([value]) => type(value), type, show };
}

/** Two buttons for yes and no. */
function flagControl(numbers, id, onChange) {
  let value = NaN;
  const buttons = [1, 0].map((each) => button(each ? "Yes" : "No", () => { value = each; onChange(); }));
  const group = make("span", { id, class: "choices", role: "group", "aria-labelledby": `${id}-name` }, ...buttons);
  const type = (text) => { value = readFlag(String(text)); };

  function show() {
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", String(value === 1 - place)));
    return false;
  }

  const choices = [["no", [0]], ["yes", [1]]];
  return { labels: null, field: [group], below: [], read: () => [value], write: ([one]) => type(one), type, show, choices };
}

/** A select box for a category; the rules ask whether it is one of some values, which is 0, or not, which is 1. */
function categoryControl(numbers, id, onChange) {
  const { values } = items[numbers[0]];
  const select = make("select", { id, "aria-describedby": `${id}-holds` }, make("option", { value: "" }, "–"));
  values.forEach((value) => select.append(make("option", { value }, value)));
  select.append(make("option", { value: "another" }, "another value"));
  select.addEventListener("change", onChange);
  const place = () => select.selectedIndex - 1;
  const answers = (value) => numbers.map((number) => (items[number].inSet.includes(value) ? 0 : 1));
  const read = () => (place() < 0 ? numbers.map(() => NaN) : answers(values[place()]));
  const write = (wanted) => {
    select.selectedIndex = 1 + values.findIndex((value) => answers(value).every((answer, number) => wanted[number] === answer));
  };
  const type = (text) => { select.selectedIndex = text === "" ? 0 : 1 + (values.includes(text) ? values.indexOf(text) : values.length); };
  const choices = values.map((value) => [value, answers(value)]);
  return { labels: id, field: [select], below: [], read, write, type, show: () => false, choices };
}

/** Colour the slider's track by what would be advised there. */
function paintStrip(strip, stretches, { low, high }) {
  for (const { lower, upper, plan } of stretches) {
    const from = Math.max(lower, low);
    const to = Math.min(upper, high);
    if (!(from < to)) continue;
    const kind = plan === null ? "open" : planClass(plan);
    const piece = make("span", { class: kind }, plan === null ? "?" : plans[plan].letter);
    piece.style.flexGrow = String((to / 2 - from / 2) / (high / 2 - low / 2));
    strip.append(piece);
  }
}

/** Where advice changes along one reading: a threshold as it is, but what follows from a sum without its many digits. */
const border = (value) => shown(value, asksSingle ? 10 : 6);

/** What is advised for each of some choices. */
function choicesInWords(numbers, choices, values) {
  const byPlan = new Map();
  for (const [name, answers] of choices) {
    const moved = [...values];
    numbers.forEach((number, place) => { moved[number] = answers[place]; });
    const plan = planFor(moved);
    byPlan.set(plan, [...(byPlan.get(plan) ?? []), name]);
  }
  const words = [...byPlan].map(([plan, names]) => `${plan === null ? "Open" : planName(plan)} if ${joined(names)}`);
  return byPlan.size > 1 ? `${words.join(", ")}.` : `${words[0].split(" if ")[0]} whatever this is.`;
}

function holdsInWords(here, stretches) {
  const place = stretches.indexOf(here);
  const [below, beyond] = [stretches[place - 1], stretches[place + 1]];
  const name = ({ plan }) => (plan === null ? "open" : planName(plan));
  const parts = [];
  if (below) parts.push(`above ${border(here.lower)} (else ${name(below)})`);
  if (beyond) parts.push(`up to ${border(here.upper)} (then ${name(beyond)})`);
  if (parts.length) return `${name(here)} ${joined(parts)}.`;
  return here.plan === null ? "This reading alone decides nothing." : `${name(here)} whatever this reading is.`;
}
