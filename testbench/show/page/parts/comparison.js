// The algorithms side by side: the largest latency by cause along the critical path, theory beside.
drawers.comparison = (figure) => {
  const rows = data.rows.filter((row) => row.max !== null);
  const width = 1000, row = 34, left = 150;
  const svg = addSvg(figure, width, rows.length * row + 30, "largest latency of each algorithm");
  // Where channels are narrow there is no theory, which counts as 0.
  const x = d3.scaleLinear([0, d3.max(rows, (one) => Math.max(one.max, one.theory)) || 1],
                           [left, width - 190]);
  rows.forEach((one, i) => {
    const y = 6 + i * row;
    svg.append("text").attr("x", left - 8).attr("y", y + 16).attr("text-anchor", "end")
      .text(one.algorithm);
    let at = 0;
    const parts = Object.entries(one.by_cause).sort((a, b) => b[1] - a[1]);
    for (const [cause, cycles] of parts) {
      svg.append("rect").attr("x", x(at)).attr("y", y).attr("width", x(cycles) - x(0))
        .attr("height", row - 12).attr("fill", patternOf(cause))
        .append("title").text(one.algorithm + ": " + cause + " " + number(cycles));
      at += cycles;
    }
    const hasTheory = one.theory !== null;
    if (hasTheory) svg.append("line").attr("x1", x(one.theory)).attr("x2", x(one.theory)).attr("y1", y - 4)
      .attr("y2", y + row - 8).attr("stroke", "var(--lit)").attr("stroke-width", 2.5);
    svg.append("text").attr("class", "amount").attr("x", x(Math.max(one.max, one.theory)) + 8)
      .attr("y", y + 16).text(number(one.max) + (hasTheory ? " (theory " + number(one.theory) + ")" : ""));
  });
  svg.append("g").attr("class", "axis").attr("transform", "translate(0," + (rows.length * row + 6) + ")")
    .call(d3.axisBottom(x).ticks(8));
  const causes = Object.keys(causeLooks)
    .filter((cause) => rows.some((one) => one.by_cause[cause] > 0));
  addLegend(figure, causes);
  add(figure, "p", "A bar is the largest latency of all trials; the upright line is theory, without " +
    "contention.");
};
