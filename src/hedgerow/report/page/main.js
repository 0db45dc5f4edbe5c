// One state, the readings; everything on the page follows from it.

const form = buildForm(refresh);
const planCards = buildPlans();
const views = [buildAdvice(), form, buildTree(), buildMap((values) => form.set(values)), planCards];

function refresh() {
  const outlook = outlookFor(form.values());
  views.forEach((view) => view.update(outlook));
}

// On paper everything is unfolded.
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((element) => {
    element.open = true;
  });
  planCards.refresh();
});

refresh();
