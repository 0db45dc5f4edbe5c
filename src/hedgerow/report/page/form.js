// The form: a number and a slider for every reading that the tree asks about, or one question after the other.

function buildForm(onChange, kept) {
  const host = document.getElementById("readings");
  host.replaceChildren();
  host.onsubmit = (event) => event.preventDefault();
  if (!items.length) {
    host.append(make("p", { class: "quiet" }, say("form.nothing")));
    return { state: () => ({ values: [], answers: new Map() }), examples: () => [], set() {}, update() {}, kept: () => null };
  }
  const rows = items.map((item, number) => buildRow(item, number, onChange));
  const hasExample = items.every((item) => item.example !== null);
  const tools = make("div", { class: "form-tools" });
  const all = make("div", {}, make("h3", {}, say("form.heading")), ...rows.map((row) => row.element), tools);
  const questionnaire = buildQuestionnaire(rows, onChange, () => show(false));
  tools.append(button(say("form.one_by_one"), () => show(true)), button(say("form.clear"), () => set(items.map(() => ""))));
  if (hasExample) tools.append(button(say("form.example"), example));
  if (facts.samples) tools.append(buildSampleChoice(set));
  host.append(all, questionnaire.element);
  host.classList.toggle("long", items.length > 6);

  function show(oneByOne) {
    all.hidden = oneByOne;
    questionnaire.open(oneByOne);
    onChange();
  }

  function set(values) {
    values.forEach((value, number) => rows[number].set(String(value)));
    onChange();
  }

  function example() {
    rows.forEach((row, number) => row.set(String(items[number].example), true));
    onChange();
  }

  if (kept) {
    rows.forEach((row, number) => row.set(kept.texts[number], kept.examples.includes(number)));
    questionnaire.restore(kept.answers);
  } else if (hasExample) {
    rows.forEach((row, number) => row.set(String(items[number].example), true));
  }
  all.hidden = questionnaire.isOpen();

  return {
    state: () => ({ values: rows.map((row) => row.value()), answers: questionnaire.intervals() }),
    examples: () => rows.flatMap((row, number) => (row.isExample() ? [number] : [])),
    kept: () => ({
      texts: rows.map((row) => row.text()),
      examples: rows.flatMap((row, number) => (row.isExample() ? [number] : [])),
      answers: questionnaire.kept(),
    }),
    set,
    update: (outlook) => {
      rows.forEach((row) => row.update(outlook));
      questionnaire.update(outlook);
    },
  };
}

function buildRow(item, number, onChange) {
  const id = `reading-${number}`;
  const { readingUnit } = facts;
  let isExample = false;
  const field = make("input", {
    type: "number", step: "any", id, inputmode: "decimal", "aria-describedby": `${id}-holds`,
  });
  const slider = make("input", {
    type: "range", min: item.low, max: item.high, step: item.step, "aria-label": say("form.slider", { name: item.name }),
  });
  const strip = make("div", { class: "strip", "aria-hidden": "true" });
  const holds = make("p", { class: "holds", id: `${id}-holds` });
  const label = make("label", { for: id }, item.name);
  const seen = seenInWords(number);
  const mark = make("span", { class: "tag example" }, say("form.is_example"));
  const unit = readingUnit ? make("span", { class: "unit" }, readingUnit) : "";
  const head = make("div", { class: "reading-head" }, label, make("span", { class: "field" }, mark, field, unit));
  const element = make("div", { class: "reading" }, head, slider, strip, holds);
  field.addEventListener("input", () => {
    isExample = false;
    if (field.value !== "") slider.value = field.value;
    onChange();
  });
  slider.addEventListener("input", () => {
    isExample = false;
    field.value = slider.value;
    onChange();
  });

  /** Numbers only; an empty field is not zero. */
  function value() {
    return field.value.trim() === "" ? NaN : Number(field.value);
  }

  function set(text, asExample = false) {
    field.value = text;
    slider.value = text;
    isExample = asExample;
  }

  function update(outlook) {
    const missing = !Number.isFinite(value());
    const wanted = outlook.ask !== null && neededFor(nodes[outlook.ask].question, outlook.values).includes(number);
    element.classList.toggle("example", isExample);
    element.classList.toggle("unread", missing);
    element.classList.toggle("wanted", wanted);
    element.classList.toggle("asked", wanted || outlook.path.some((node) => isAsked(nodes[node], number)));
    mark.hidden = !isExample;
    field.setAttribute("aria-invalid", String(field.validity.badInput));
    strip.replaceChildren();
    holds.replaceChildren();
    if (missing) {
      const needed = outlook.plan === null ? say(wanted ? "form.needed" : "form.maybe") : say("form.not_needed");
      holds.append(seen ? `${needed} ${seen}` : needed);
      return;
    }
    const stretches = alongItem(outlook.values, number);
    paintStrip(strip, stretches, item);
    const here = stretches.find(({ lower, upper }) => lower < value() && value() <= upper);
    holds.append(holdsInWords(here, stretches));
    if (isOutside(number, value())) holds.append(make("span", { class: "outside" }, ` ${say("form.outside", { seen })}`));
    const plan = outlook.plan === null ? "" : `, ${planName(outlook.plan)}`;
    slider.setAttribute("aria-valuetext", `${withUnit(shown(value()))}${plan}`);
  }

  return { element, value, set, update, text: () => field.value, isExample: () => isExample };
}

/** What was seen of a reading in training; nothing where that is not known. */
function seenInWords(item) {
  const { seen } = items[item];
  return seen ? say("form.seen", { low: figured(seen[0]), high: withUnit(figured(seen[1])) }) : "";
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
    const piece = plan === null
      ? make("span", { class: "open" }, "?")
      : make("span", { class: planClass(plan) }, plans[plan].letter);
    piece.style.flexGrow = String((to / 2 - from / 2) / (high / 2 - low / 2));
    strip.append(piece);
  }
}

function holdsInWords(here, stretches) {
  const place = stretches.indexOf(here);
  const [below, beyond] = [stretches[place - 1], stretches[place + 1]];
  const name = ({ plan }) => (plan === null ? say("form.open") : planName(plan));
  const parts = [];
  if (below) parts.push(say("form.above", { limit: border(here.lower), plan: name(below) }));
  if (beyond) parts.push(say("form.up_to", { limit: border(here.upper), plan: name(beyond) }));
  if (!parts.length) return say(here.plan === null ? "form.open_anyway" : "form.whatever", { plan: name(here) });
  return `${name(here)} ${inOneList(parts)}.`;
}

function buildSampleChoice(set) {
  const { readings, total } = facts.samples;
  const choice = make("select", { id: "sample" }, make("option", { value: "" }, "–"));
  readings.forEach((_, number) => choice.append(make("option", { value: number }, say("sample", { number: number + 1 }))));
  choice.addEventListener("change", () => {
    if (choice.value !== "") set(readings[Number(choice.value)]);
  });
  const which = readings.length < total ? ` ${say("form.first_samples", { shown: readings.length, total })}` : "";
  const label = make("label", { for: "sample" }, `${say("form.sample")}${which}`);
  return make("span", { class: "choice" }, label, " ", choice);
}
