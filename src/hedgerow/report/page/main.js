// One state: readings, answers and the language. Everything on the page follows from it.

let lifetime = null;

/** Put all parts of the page together; again whenever the language changes. */
function build(name, values) {
  lifetime?.abort();
  lifetime = new AbortController();
  const { signal } = lifetime;
  speak(name);
  const form = buildForm(refresh, values);
  const views = [buildAdvice(), form, buildTree(signal), buildMap((chosen) => form.set(chosen)), buildPlans()];

  function refresh() {
    const outlook = outlookFor(form.state());
    views.forEach((view) => view.update({ ...outlook, examples: form.examples() }));
  }

  roomy.addEventListener("change", refresh, { signal });
  refresh();
  return form;
}

const choice = document.getElementById("language");
Object.entries(facts.languages).forEach(([name, texts]) => {
  choice.append(make("option", { value: name }, texts.language));
});
let form = build(firstLanguage(), null);
choice.value = speech.name;
choice.addEventListener("change", () => {
  form = build(choice.value, form.kept());
});

// On paper the rules as text are unfolded, and the day is known.
window.addEventListener("beforeprint", () => {
  document.querySelector(".as-text").open = true;
  const when = new Intl.DateTimeFormat(speech.locale, { dateStyle: "long", timeStyle: "short" }).format(new Date());
  document.getElementById("printed").textContent = say("printed", { when });
});
