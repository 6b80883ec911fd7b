// How many messages have which latency; each bar is twice as wide a range as the one before.
drawers.histogram = (figure) => {
  const bars = data.run.traffic.latency_histogram;
  const width = 900, height = 240, low = height - 40;
  const svg = addSvg(figure, width, height, "messages by latency");
  const x = d3.scaleBand(bars.map((_, i) => i), [50, width - 10]).padding(.15);
  const y = d3.scaleLinear([0, d3.max(bars, (bar) => bar.messages) || 1], [low, 20]);
  svg.append("g").attr("class", "axis").attr("transform", "translate(50,0)")
    .call(d3.axisLeft(y).ticks(5));
  svg.selectAll("rect").data(bars).join("rect").attr("x", (_, i) => x(i))
    .attr("y", (bar) => y(bar.messages)).attr("width", x.bandwidth())
    .attr("height", (bar) => low - y(bar.messages)).attr("fill", "var(--used)");
  const label = (words, dy) => svg.append("g").selectAll("text").data(bars).join("text")
    .attr("text-anchor", "middle").attr("x", (_, i) => x(i) + x.bandwidth() / 2).attr("y", dy)
    .text(words);
  label((bar) => number(bar.messages), (bar) => y(bar.messages) - 4);
  label((bar) => "from " + number(bar.from), low + 16);
  svg.append("text").attr("class", "quiet").attr("x", width - 10).attr("y", height - 4)
    .attr("text-anchor", "end").text("latency, cycles");
};
