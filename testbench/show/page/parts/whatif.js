// What a run gives with each change, beside what it gives now.
drawers.whatif = (figure) => {
  const controls = add(figure, "div", "", {class: "controls"});
  const place = add(figure, "div");
  addTakeAlong(controls, "changes", () => place.querySelector("svg"));
  const draw = () => {
    place.textContent = "";
    drawChanges(place, data.whatif);
  };
  window.addEventListener("resize", draw);
  draw();
};

function drawChanges(place, {rows, before, for: goal}) {
  const shown = rows.filter((row) => row.after !== null);
  if (shown.length === 0) return add(place, "p", "No change has a number to draw.");
  const width = Math.max(300, Math.min(1100, place.clientWidth)), row = 24, top = 26;
  const words = (one) => one.words;
  const left = Math.min(width / 2, 14 + 7 * d3.max(shown, (one) => words(one).length));
  const svg = addSvg(place, width, top + shown.length * row + 6, goal + " with each change");
  // What is far worse than now is cut: only its number tells how far.
  const most = Math.min(d3.max(shown, (one) => one.after), before === null ? Infinity : 2 * before) || 1;
  const x = d3.scaleLinear([0, Math.max(most, before || 0)], [left, width - 90]).clamp(true);
  const is_better = (one) => before === null || (!one.failed_seeds &&
    (one.over_seeds ? one.over_seeds.saved > 0 && !one.over_seeds.is_within_chance : one.saved > 0));
  const bars = svg.selectAll("g").data(shown).join("g").attr("class", "change")
    .attr("transform", (_, i) => "translate(0," + (top + i * row) + ")");
  bars.append("title").text((one) => one.command);
  bars.append("text").attr("x", left - 8).attr("y", 15).attr("text-anchor", "end").text(words);
  bars.append("rect").attr("x", left).attr("y", 3).attr("height", row - 7)
    .attr("width", (one) => Math.max(1, x(one.after) - left))
    .attr("fill", (one) => is_better(one) ? "var(--good)" : "var(--quiet)");
  if (before !== null) {
    svg.append("path").attr("d", "M" + x(before) + "," + (top - 4) + "V" + (top + shown.length * row))
      .attr("stroke", "var(--lit)").attr("stroke-dasharray", "5 3").attr("fill", "none");
    svg.append("text").attr("x", Math.min(x(before), width - 60)).attr("y", 14).attr("text-anchor", "middle")
      .text("now " + number(before));
  }
  // The line is behind the numbers.
  svg.selectAll(null).data(shown).join("text").attr("class", "amount halo").attr("x", (one) => x(one.after) + 6)
    .attr("y", (_, i) => top + i * row + 15)
    .text((one) => number(one.after) + (one.after > x.domain()[1] ? ", cut" : ""));
}
