// One state: the readings. Everything on the page follows from them.

const form = buildForm(refresh);
const views = [buildAdvice(), form, { update: lightTree }, buildMap(form.set), buildPlans()];

function refresh() {
  const outlook = { ...outlookFor(form.values()), examples: form.examples() };
  views.forEach((view) => view.update(outlook));
}

/** Light the way of the readings through the rules. */
function lightTree({ path, plan }) {
  document.querySelectorAll("#tree [data-node]").forEach((element) => {
    const isOnWay = path.includes(Number(element.dataset.node));
    element.classList.toggle("lit", isOnWay);
    element.querySelectorAll(":scope > .box .one-of .badge").forEach((each) => {
      each.classList.toggle("chosen", isOnWay && plan !== null && each.textContent === plans[plan].letter);
    });
  });
}

roomy.addEventListener("change", refresh);
refresh();

// On paper the day is known.
window.addEventListener("beforeprint", () => {
  const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" }).format(new Date());
  document.getElementById("printed").textContent = `Printed on ${when}`;
});
