// The cycles of the bound and those beyond it, part by part, as one bar.
drawers.to_bound = (figure) => {
  const {bound, by, cycles, parts} = data.run.explanation.to_bound;
  const list = [{part: "the bound, by " + by, cycles: bound}, ...parts.filter((one) => one.cycles !== 0)];
  const width = 900, high = 44;
  const svg = addSvg(figure, width, high, "the bound of " + bound + " cycles and the parts beyond it");
  const all = d3.sum(list, (one) => Math.max(0, one.cycles)) || 1;
  let x = 0;
  const legend = add(figure, "ol", "", {class: "places"});
  list.forEach((one, i) => {
    const wide = width * Math.max(0, one.cycles) / all;
    const fill = i === 0 ? "var(--quiet)" : d3.interpolateViridis(.15 + .8 * (i - 1) / Math.max(1, list.length - 2));
    svg.append("rect").attr("class", "part").attr("x", x).attr("y", 2).attr("height", high - 4)
      .attr("width", Math.max(1, wide - 1)).attr("fill", fill)
      .append("title").text(one.part + ": " + counted(one.cycles, "cycle"));
    x += wide;
    const entry = add(legend, "li");
    const box = d3.select(entry).append("svg").attr("width", 22).attr("height", 12).attr("aria-hidden", true);
    box.append("rect").attr("width", 22).attr("height", 12).attr("fill", fill);
    add(entry, "span", " " + one.part + ": " + counted(one.cycles, "cycle") + " (" +
      percent(one.cycles, cycles) + ")", {class: "amount"});
  });
};
