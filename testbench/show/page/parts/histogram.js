// How many messages have which latency; each bar is twice as wide a range as the one before.
drawers.histogram = (figure) => {
  const controls = add(figure, "div", "", {class: "controls"});
  const place = add(figure, "div");
  addTakeAlong(controls, "latencies", () => place.querySelector("svg"));
  const draw = () => {
    place.textContent = "";
    drawHistogram(place);
  };
  window.addEventListener("resize", draw);
  draw();
};

function drawHistogram(place) {
  const bars = data.run.traffic.latency_histogram;
  const width = Math.max(300, Math.min(900, place.clientWidth)), height = 240, low = height - 40;
  const svg = addSvg(place, width, height, "messages by latency");
  const x = d3.scaleBand(bars.map((_, i) => i), [50, width - 10]).padding(.15);
  const y = d3.scaleLinear([0, d3.max(bars, (bar) => bar.messages) || 1], [low, 20]);
  svg.append("g").attr("class", "axis").attr("transform", "translate(50,0)")
    .call(d3.axisLeft(y).ticks(5));
  svg.selectAll("rect").data(bars).join("rect").attr("x", (_, i) => x(i))
    .attr("y", (bar) => y(bar.messages)).attr("width", x.bandwidth())
    .attr("height", (bar) => low - y(bar.messages)).attr("fill", "var(--used)");
  // Where bars are narrow, some have no words.
  const longest = d3.max(bars, (bar) => ("from " + number(bar.from)).length);
  const every = Math.ceil((6.6 * longest + 8) / (x.step() || 1));
  const label = (words, dy) => svg.append("g").selectAll("text").data(bars).join("text")
    .attr("text-anchor", "middle").attr("x", (_, i) => x(i) + x.bandwidth() / 2).attr("y", dy)
    .text((bar, i) => (bars.length - 1 - i) % every === 0 ? words(bar) : "");
  label((bar) => number(bar.messages), (bar) => y(bar.messages) - 4);
  label((bar) => "from " + number(bar.from), low + 16);
  svg.append("text").attr("class", "quiet").attr("x", width - 10).attr("y", height - 4)
    .attr("text-anchor", "end").text("latency, cycles");
}
