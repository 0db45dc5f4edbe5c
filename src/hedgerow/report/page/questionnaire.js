// One question after the other, until the advice is sure. Each is answered by yes or no, or by its readings.

function buildQuestionnaire(rows, onChange, leave) {
  const element = make("div", { class: "questionnaire", id: "questionnaire" });
  element.hidden = true;
  let steps = []; // each {node, yes} or {node, readings}: what was answered, in order

  function open(isOpen) {
    element.hidden = !isOpen;
    steps = [];
    if (isOpen) rows.forEach((row) => row.set(""));
  }

  /** What the answers without a reading leave of the questions' values. */
  function intervals() {
    const found = new Map();
    for (const { node, yes } of steps.filter((step) => step.yes !== undefined)) {
      const { question, threshold } = nodes[node];
      const { lower, upper } = found.get(question) ?? unlimited();
      found.set(question, yes ? { lower, upper: Math.min(upper, threshold) } : { lower: Math.max(lower, threshold), upper });
    }
    return found;
  }

  function answer(step) {
    steps.push(step);
    onChange();
    element.querySelector("button, input")?.focus();
  }

  /** Take back an answer and all that came after it. */
  function takeBack(place) {
    const [stay, gone] = [steps.slice(0, place), steps.slice(place)];
    gone.flatMap((step) => step.readings ?? []).forEach((item) => rows[item].set(""));
    steps = stay;
    onChange();
  }

  function update(outlook) {
    if (element.hidden) return;
    const parts = [make("h3", {}, say("ask.heading")), answers(outlook)];
    if (outlook.ask !== null) parts.push(asking(outlook));
    else parts.push(make("p", { class: "sure", role: "status" }, say("ask.sure", { plan: planName(outlook.plan), n: steps.length })));
    const tools = make("div", { class: "form-tools" });
    if (steps.length) tools.append(button(say("ask.again"), () => takeBack(0)));
    tools.append(button(say("ask.all"), leave));
    element.replaceChildren(...parts, tools);
  }

  function answers(outlook) {
    const lines = steps.map(({ node, yes, readings }, place) => {
      const { question, threshold } = nodes[node];
      const by = yes ?? valueOf(question, outlook.values) <= threshold;
      const values = (readings ?? []).map((item) => `${items[item].name} ${withUnit(shown(outlook.values[item]))}`);
      const words = values.length ? `${values.join(", ")}: ${condition(question, threshold, by)}` : condition(question, threshold, by);
      return make("li", {}, words, " ", button(say("ask.change"), () => takeBack(place), { "aria-label": say("ask.change_this", { words }) }));
    });
    return make("ol", { class: "answers" }, ...lines);
  }

  function asking({ ask, values }) {
    const { question, threshold } = nodes[ask];
    const needed = neededFor(question, values);
    const fields = needed.map((item) => {
      const id = `ask-${item}`;
      const field = make("input", { type: "number", step: "any", id, inputmode: "decimal" });
      const unit = facts.readingUnit ? make("span", { class: "unit" }, facts.readingUnit) : "";
      const seen = make("p", { class: "holds" }, seenInWords(item));
      return { item, field, element: make("div", { class: "reading-head" }, make("label", { for: id }, items[item].name), make("span", { class: "field" }, field, unit)), seen };
    });
    const next = button(say("ask.next"), () => {
      const filled = fields.filter(({ field }) => field.value.trim() !== "");
      if (filled.length < fields.length) {
        fields.find(({ field }) => field.value.trim() === "").field.focus();
        return;
      }
      filled.forEach(({ item, field }) => rows[item].set(field.value));
      answer({ node: ask, readings: needed });
    });
    fields.forEach(({ field }) => field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      next.click();
    }));
    return make(
      "div", { class: "asking" },
      make("p", { class: "question" }, say("ask.question", { number: steps.length + 1, words: condition(question, threshold) })),
      make(
        "div", { class: "form-tools" },
        button(say("yes.capital"), () => answer({ node: ask, yes: true }), { class: "plain wide" }),
        button(say("no.capital"), () => answer({ node: ask, yes: false }), { class: "plain wide" }),
      ),
      make("p", { class: "quiet" }, say("ask.or", { n: needed.length })),
      ...fields.flatMap(({ element: line, seen }) => [line, seen]),
      next,
    );
  }

  return {
    element,
    open,
    update,
    intervals,
    isOpen: () => !element.hidden,
    kept: () => (element.hidden ? null : steps),
    restore(before) {
      if (!before) return;
      element.hidden = false;
      steps = before;
    },
  };
}
