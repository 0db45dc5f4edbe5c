// The form: a row for every reading that the tree asks about, in the order of the data. What kind of reading it is decides
// how it is taken.

const controls = { number: numberControl, flag: flagControl };

function buildForm(onChange) {
  const host = document.getElementById("readings");
  host.addEventListener("submit", (event) => event.preventDefault());
  if (!items.length) {
    host.append(make("p", { class: "quiet" }, "These rules ask for no reading: the same plan is advised every time."));
    return { values: () => [], examples: () => [], set() {}, update() {} };
  }
  const rows = items.map((item, number) => buildRow(item, number, onChange));
  const hasExample = items.every((item) => item.example !== null);
  const note = make("p", { class: "outside", role: "status" });
  const tools = make("div", { class: "form-tools" }, button("Clear", () => set(items.map(() => ""))));
  if (hasExample) tools.append(button("Example", () => set(items.map((item) => item.example), true)));
  host.append(make("h3", {}, "What do you read today?"), ...rows.map((row) => row.element), note, tools);
  host.classList.toggle("long", items.length > 6);
  host.addEventListener("paste", paste);
  if (hasExample) rows.forEach((row, number) => row.set(items[number].example, true));

  function set(values, asExample = false) {
    values.forEach((value, number) => rows[number].set(value, asExample));
    note.textContent = "";
    onChange();
  }

  /** A row of a spreadsheet goes into the fields from this one on. */
  function paste(event) {
    const first = rows.findIndex((row) => row.element.contains(event.target));
    const text = event.clipboardData.getData("text").trim();
    const cells = text.split(text.includes("\t") ? /[\t\r\n]/ : /[;\s]+/);
    if (first < 0 || cells.length < 2) return;
    event.preventDefault();
    const fields = rows.slice(first);
    fields.slice(0, cells.length).forEach((row, place) => row.set(cells[place].trim()));
    const surplus = cells.length - fields.length;
    note.textContent = surplus > 0 ? `${counted(cells.length, "value")} pasted, ${counted(fields.length, "field")} filled: check that they belong together.` : "";
    onChange();
  }

  return {
    set,
    values: () => rows.map((row) => row.value()),
    examples: () => rows.flatMap((row, number) => (row.isExample() ? [number] : [])),
    update: (outlook) => rows.forEach((row) => row.update(outlook)),
  };
}

function buildRow(item, number, onChange) {
  const id = `reading-${number}`;
  let isExample = false;
  const control = controls[item.kind](item, id, () => {
    isExample = false;
    onChange();
  });
  const strip = make("div", { class: "strip", "aria-hidden": "true" });
  const holds = make("p", { class: "holds", id: `${id}-holds` });
  const mark = make("span", { class: "tag example" }, "example");
  const name = make(control.labels ? "label" : "span", { class: "name", id: `${id}-name`, for: control.labels }, item.name);
  const head = make("div", { class: "reading-head" }, name, make("span", { class: "field" }, mark, ...control.field));
  const element = make("div", { class: "reading" }, head, ...control.below, ...(item.kind === "number" ? [strip] : []), holds);

  function set(content, asExample = false) {
    control.write(content);
    isExample = asExample;
  }

  function update(outlook) {
    const value = outlook.values[number];
    const missing = !Number.isFinite(value);
    const wanted = outlook.ask !== null && neededFor(nodes[outlook.ask].question, outlook.values).includes(number);
    element.classList.toggle("example", isExample);
    element.classList.toggle("unread", missing);
    element.classList.toggle("wanted", wanted);
    element.classList.toggle("asked", wanted || outlook.path.some((node) => isAsked(nodes[node], number)));
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
      holds.replaceChildren(flagInWords(number, outlook.values));
    }
    if (isOutside(number, value)) holds.append(make("span", { class: "outside" }, ` Outside experience (${item.seenInWords}).`));
  }

  return { element, value: control.read, set, update, isExample: () => isExample };
}

/** A field for a number, and a slider below it. */
function numberControl(item, id, onChange) {
  const field = make("input", { type: "text", id, inputmode: "decimal", "aria-describedby": `${id}-holds` });
  const range = { type: "range", min: item.low, max: item.high, step: item.step };
  const slider = make("input", { ...range, "aria-label": `${item.name}, slider` });
  const read = () => readNumber(field.value);
  const follow = () => { if (Number.isFinite(read())) slider.value = read(); };
  field.addEventListener("input", () => { follow(); onChange(); });
  slider.addEventListener("input", () => { field.value = slider.value; onChange(); });
  const unit = facts.readingUnit ? [make("span", { class: "unit" }, facts.readingUnit)] : [];

  function show(value, plan) {
    const isUnreadable = Number.isNaN(value) && field.value.trim() !== "";
    field.setAttribute("aria-invalid", String(isUnreadable));
    slider.setAttribute("aria-valuetext", `${withUnit(shown(value))}${plan}`);
    return isUnreadable;
  }

  return { labels: id, field: [field, ...unit], below: [slider], read, write: (text) => { field.value = text; follow(); }, show };
}

/** Two buttons for yes and no. */
function flagControl(item, id, onChange) {
  let value = NaN;
  const set = (next) => { value = next; };
  const buttons = [1, 0].map((each) => button(each ? "Yes" : "No", () => { set(each); onChange(); }));
  const group = make("span", { id, class: "choices", role: "group", "aria-labelledby": `${id}-name` }, ...buttons);

  function show() {
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", String(value === 1 - place)));
    return false;
  }

  return { labels: null, field: [group], below: [], read: () => value, write: (text) => set(readFlag(String(text))), show };
}

function isAsked({ question }, item) {
  return question !== undefined && questions[question].terms.some(([other]) => other === item);
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

/** What is advised for either answer to a yes/no question. */
function flagInWords(item, values) {
  const advised = (answer) => planFor(values.map((value, other) => (other === item ? answer : value)));
  const words = [["no", advised(0)], ["yes", advised(1)]].map(([answer, plan]) => `${answer}: ${plan === null ? "open" : planName(plan)}`);
  return `${words.join(", ")}.`;
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
