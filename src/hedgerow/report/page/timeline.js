// A plan drawn on a line of periods: when it runs, and when it does not.

function drawTimeline(plan, against, large) {
  const { periods } = facts;
  const used = new Map(plans[plan].uses);
  const before = new Map(against === null ? plans[plan].uses : plans[against].uses);
  const [width, height, edge] = [large ? 460 : 350, 46, 2];
  const step = (width - 2 * edge) / periods.length;
  const every = [1, 2, 3, 4, 6, 12, 24, 48, 96].find((count) => count * step >= 44) ?? Math.ceil(44 / step);
  const boxes = periods.map((name, period) => {
    const kind = used.has(period) ? "used" : before.has(period) ? "dropped" : "idle";
    const gap = step > 4 ? 1 : 0;
    const box = { x: edge + period * step + gap / 2, y: 4, width: step - gap, height: 22, rx: gap, class: `period ${kind}` };
    return draw("rect", box, draw("title", {}, `${name}: ${say(`timeline.${kind}`)}`));
  });
  const names = periods.flatMap((name, period) => {
    if (period % every) return [];
    return [write(fitting(name, every * step - 4, 11), edge + period * step, 41, { class: "period-name" })];
  });
  return draw(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`, class: `timeline ${planClass(plan)}`,
      role: "img", "aria-label": say("timeline.label", { plan: planName(plan), words: plans[plan].words }),
    },
    ...boxes, ...names,
  );
}
