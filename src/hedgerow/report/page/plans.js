// The plans as cards: drawn on a map or a timeline where there is one, listed otherwise, with what differs from the advice.

const mostShown = 12;
const mostListed = 60;

function buildPlans() {
  const host = document.getElementById("plan-cards");
  host.replaceChildren();
  document.querySelector(".more-plans")?.remove();
  let latest = null;
  const cards = plans.map((_, plan) => buildCard(plan));
  const rest = cards.slice(mostShown);
  host.append(...cards.slice(0, mostShown).map((card) => card.element));
  if (rest.length) {
    const folded = make("div", { class: "plan-cards" }, ...rest.map((card) => card.element));
    const summary = make("summary", {}, counted("further_plans", rest.length));
    const more = make("details", { class: "more-plans" }, summary, folded);
    more.addEventListener("toggle", refresh);
    host.after(more);
    rest.forEach((card) => {
      card.hidden = () => !more.open;
    });
  }

  function refresh() {
    cards.forEach((card) => card.update(latest));
  }

  return {
    update: (outlook) => {
      if (latest && outlook.plan === latest.plan) return;
      latest = outlook;
      refresh();
    },
  };
}

function buildCard(plan) {
  const body = make("div");
  const tag = make("span", { class: "tag" });
  const places = leaves.filter((leaf) => leaf.plan === plan);
  const samples = samplesOf(places);
  const element = make(
    "article", { class: `card plan-card ${planClass(plan)}` },
    make("h3", {}, badge(plan), " ", planName(plan), " ", tag),
    make("p", { class: "plan-words" }, plans[plan].words),
    make("p", { class: "quiet" }, [counted("rules", places.length), samples].filter(Boolean).join(", ")),
    body,
  );
  const card = { element, hidden: () => false, update };

  function update(outlook) {
    if (card.hidden()) return;
    const against = outlook.plan === plan ? null : outlook.plan;
    element.classList.toggle("advised", outlook.plan === plan);
    tag.textContent = outlook.plan === plan ? say("plans.advised") : "";
    body.replaceChildren(drawPlan(plan, against, false) || listUses(plan, against));
  }

  return card;
}

/** A plan drawn on its network or its timeline; nothing where there is neither. */
function drawPlan(plan, against, large) {
  if (facts.network) return drawNetwork(plan, against, large);
  return facts.periods ? drawTimeline(plan, against, large) : "";
}

function listUses(plan, against) {
  const own = new Map(plans[plan].uses);
  const other = new Map(against === null ? plans[plan].uses : plans[against].uses);
  const numbers = [...new Set([...own.keys(), ...other.keys()])].sort((a, b) => a - b);
  const lines = numbers.map((number) => {
    const [mine, theirs] = [own.get(number) ?? 0, other.get(number) ?? 0];
    const kind = mine === theirs ? "same" : mine === 0 ? "dropped" : "added";
    const sign = { same: "", dropped: "− ", added: "+ " }[kind];
    const amount = mine === 0 ? theirs : mine;
    const text = `${sign}${facts.variables[number]}${amount === 1 ? "" : ` × ${shown(amount, 6)}`}`;
    const title = kind === "same" ? null : say(`plans.${kind}`);
    return { kind, line: make("li", { class: kind, title }, text) };
  });
  // Differences first: they are what a reader looks for.
  lines.sort((a, b) => (a.kind === "same") - (b.kind === "same"));
  const list = make("ul", { class: "uses" }, ...lines.slice(0, mostListed).map(({ line }) => line));
  if (lines.length > mostListed) list.append(make("li", { class: "quiet" }, say("plans.more", { n: lines.length - mostListed })));
  if (!lines.length) list.append(make("li", { class: "quiet" }, say("plans.nothing")));
  return list;
}
