// The form: a number and a slider for every item that the tree asks about.

function buildForm(onChange) {
  const form = document.getElementById("readings");
  if (!items.length) {
    form.append(make("p", { class: "quiet" }, "These rules ask for no reading: the same plan is advised every time."));
    return { values: () => [], set() {}, update() {} };
  }
  const rows = items.map((item, number) => buildRow(item, number, onChange));
  const reset = make("button", { type: "button", class: "plain" }, "Reset");
  reset.addEventListener("click", () => set(items.map((item) => item.start)));
  const tools = make("div", { class: "form-tools" }, reset);
  if (facts.samples) tools.append(buildSampleChoice(set));
  form.append(
    make("h3", {}, "What do you read today?"),
    ...rows.map((row) => row.element),
    tools,
  );
  form.classList.toggle("long", items.length > 6);
  form.addEventListener("submit", (event) => event.preventDefault());

  function set(values) {
    values.forEach((value, number) => rows[number].set(String(value)));
    onChange();
  }

  return {
    values: () => rows.map((row) => row.value()),
    set,
    update: (outlook) => rows.forEach((row) => row.update(outlook)),
  };
}

function buildRow(item, number, onChange) {
  const id = `reading-${number}`;
  const { readingUnit } = facts;
  const field = make("input", {
    type: "number", step: "any", id, value: item.start, inputmode: "decimal", "aria-describedby": `${id}-holds`,
  });
  const slider = make("input", {
    type: "range", min: item.low, max: item.high, step: item.step, value: item.start,
    "aria-label": `${item.name}, slider`,
  });
  const strip = make("div", { class: "strip", "aria-hidden": "true" });
  const holds = make("p", { class: "holds", id: `${id}-holds` });
  const label = make("label", { for: id }, item.name);
  const seen = item.seen
    ? `seen so far: ${shown(item.seen[0])} to ${withUnit(item.seen[1], readingUnit, 10)}`
    : "";
  label.title = seen;
  const unit = readingUnit ? make("span", { class: "unit" }, readingUnit) : "";
  const head = make("div", { class: "reading-head" }, label, make("span", { class: "field" }, field, unit));
  const element = make("div", { class: "reading" }, head, slider, strip, holds);
  field.addEventListener("input", () => {
    if (field.value !== "") slider.value = field.value;
    onChange();
  });
  slider.addEventListener("input", () => {
    field.value = slider.value;
    onChange();
  });

  /** Numbers only; an empty field is not zero. */
  function value() {
    return field.value.trim() === "" ? NaN : Number(field.value);
  }

  function set(text) {
    field.value = text;
    slider.value = text;
  }

  function update(outlook) {
    const missing = !Number.isFinite(value());
    field.setAttribute("aria-invalid", String(missing));
    strip.replaceChildren();
    if (!outlook) {
      holds.textContent = missing ? "Type a number here." : "";
      return;
    }
    element.classList.toggle("asked", outlook.path.some((node) => isAsked(nodes[node], number)));
    const stretches = alongItem(outlook.values, number);
    paintStrip(strip, stretches, item);
    const here = stretches.find(({ lower, upper }) => lower < value() && value() <= upper);
    holds.textContent = holdsInWords(here, stretches);
    const outside = item.seen && (value() < item.seen[0] || value() > item.seen[1]);
    if (outside) holds.append(make("span", { class: "outside" }, ` Outside what was ${seen}.`));
    slider.setAttribute("aria-valuetext", `${withUnit(value(), readingUnit, 10)}, ${planName(outlook.plan)}`);
  }

  return { element, value, set, update };
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
    const piece = make("span", { class: planClass(plan) }, plans[plan].letter);
    piece.style.flexGrow = String((to / 2 - from / 2) / (high / 2 - low / 2));
    strip.append(piece);
  }
}

function holdsInWords(here, stretches) {
  const place = stretches.indexOf(here);
  const [below, beyond] = [stretches[place - 1], stretches[place + 1]];
  const parts = [];
  if (below) parts.push(`above ${shown(here.lower)} (else ${planName(below.plan)})`);
  if (beyond) parts.push(`up to ${shown(here.upper)} (then ${planName(beyond.plan)})`);
  if (!parts.length) return `${planName(here.plan)} whatever this reading is.`;
  return `${planName(here.plan)} ${parts.join(" and ")}.`;
}

function buildSampleChoice(set) {
  const { readings, total } = facts.samples;
  const choice = make("select", { id: "sample" }, make("option", { value: "" }, "–"));
  readings.forEach((_, number) => choice.append(make("option", { value: number }, `sample ${number + 1}`)));
  choice.addEventListener("change", () => {
    if (choice.value !== "") set(readings[Number(choice.value)]);
  });
  const which = readings.length < total ? ` (the first ${readings.length} of ${total})` : "";
  const label = make("label", { for: "sample" }, `Fill in a training sample${which}`);
  return make("span", { class: "choice" }, label, " ", choice);
}
