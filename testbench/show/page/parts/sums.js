// Where the cycles go: a bar for each cause.
function sumsToShow() {
  const explanation = data.run.explanation;
  const sums = [["all received messages", explanation]];
  if (explanation.path.length > 0) {
    const by_cause = {};
    for (const message of explanation.path) {
      for (const [cause, cycles] of Object.entries(message.by_cause)) {
        by_cause[cause] = (by_cause[cause] || 0) + cycles;
      }
    }
    sums.push(["the critical path", {by_cause, cycles: d3.sum(Object.values(by_cause))}]);
  }
  if (explanation.slowest && explanation.slowest.receipts > 0) {
    sums.push(["the slowest 1 % of the messages", explanation.slowest]);
  }
  for (const group of explanation.by_hops) {
    sums.push(["messages over " + counted(group.hops, "hop"), group]);
  }
  return sums;
}

drawers.sums = (figure) => {
  const sums = sumsToShow();
  const controls = add(figure, "div", "", {class: "controls"});
  const place = add(figure, "div");
  addTakeAlong(controls, "causes", () => place.querySelector("svg"));
  let shown = 0;
  const show = (which) => {
    shown = which;
    place.textContent = "";
    drawSum(place, sums[which][0], sums[which][1]);
  };
  window.addEventListener("resize", () => show(shown));
  addChoice(controls, "of", sums.map(([words], i) => [i, words]), show);
  show(0);
};

function drawSum(place, words, sum) {
  const bars = Object.entries(sum.by_cause).sort((a, b) => b[1] - a[1]);
  const left = 90, width = Math.max(300, Math.min(900, place.clientWidth)), row = 22;
  const svg = addSvg(place, width, bars.length * row + 4, "cycles of " + words + " by cause");
  const x = d3.scaleLinear([0, d3.max(bars, (bar) => bar[1]) || 1], [0, width - left - 150]);
  const rows = svg.selectAll("g").data(bars).join("g")
    .attr("transform", (bar, i) => "translate(0," + i * row + ")");
  rows.append("text").attr("x", left - 8).attr("y", 15).attr("text-anchor", "end")
    .text((bar) => bar[0]);
  rows.append("rect").attr("x", left).attr("y", 3).attr("height", row - 6)
    .attr("width", (bar) => Math.max(1, x(bar[1]))).attr("fill", (bar) => patternOf(bar[0]));
  rows.append("text").attr("class", "amount").attr("x", (bar) => left + x(bar[1]) + 6).attr("y", 15)
    .text((bar) => number(bar[1]) + " (" + percent(bar[1], sum.cycles) + ")");
}
