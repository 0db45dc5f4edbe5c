// One state, the readings; everything on the page follows from it.

const form = buildForm(refresh);
const views = [buildAdvice(), form, buildTree(), buildMap((values) => form.set(values)), buildPlans()];

function refresh() {
  const outlook = outlookFor(form.values());
  views.forEach((view) => view.update(outlook));
}

roomy.addEventListener("change", refresh);

// On paper the rules as text are unfolded.
window.addEventListener("beforeprint", () => {
  document.querySelector(".as-text").open = true;
});

refresh();
