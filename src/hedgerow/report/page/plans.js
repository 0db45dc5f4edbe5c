// The plans as cards: drawn on a map where there is one, listed otherwise, with what differs from the advice.

const mostShown = 12;
const mostListed = 60;

function buildPlans() {
  const host = document.getElementById("plan-cards");
  let latest = null;
  const cards = plans.map((_, plan) => buildCard(plan));
  const rest = cards.slice(mostShown);
  host.append(...cards.slice(0, mostShown).map((card) => card.element));
  if (rest.length) {
    const folded = make("div", { class: "plan-cards" }, ...rest.map((card) => card.element));
    const summary = make("summary", {}, counted(rest.length, "further plan"));
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
  const own = rows.filter((row) => row.plan === plan);
  const samples = samplesOf(own);
  const basis = samples === null ? "" : `, ${counted(samples, "training sample")}`;
  const element = make(
    "article", { class: `card plan-card ${planClass(plan)}` },
    make("h3", {}, badge(plan), " ", planName(plan), " ", tag),
    make("p", { class: "plan-words" }, plans[plan].words),
    make("p", { class: "quiet" }, `${counted(new Set(own.map(({ leaf }) => leaf)).size, "rule")}${basis}`),
    body,
  );
  const card = { element, hidden: () => false, update };

  function update(outlook) {
    if (card.hidden()) return;
    const against = outlook.plan === plan ? null : outlook.plan;
    element.classList.toggle("advised", outlook.plan === plan);
    tag.textContent = outlook.plan === plan ? "advised now" : "";
    body.replaceChildren(drawPlan(plan, against, false) || listUses(plan, against));
  }

  return card;
}

/** A plan drawn on its network; nothing where there is none. */
function drawPlan(plan, against, large) {
  return facts.network ? drawNetwork(plan, against, large) : "";
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
    const title = kind === "same" ? null : { dropped: "not in this plan", added: "not, or not as much, in the advised plan" }[kind];
    return { kind, line: make("li", { class: kind, title }, text) };
  });
  // Differences first: they are what a reader looks for.
  lines.sort((a, b) => (a.kind === "same") - (b.kind === "same"));
  const list = make("ul", { class: "uses" }, ...lines.slice(0, mostListed).map(({ line }) => line));
  if (lines.length > mostListed) list.append(make("li", { class: "quiet" }, `and ${lines.length - mostListed} more`));
  if (!lines.length) list.append(make("li", { class: "quiet" }, "uses nothing"));
  return list;
}
