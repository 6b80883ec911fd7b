// The causes of two results in pairs of bars.
drawers["diff-causes"] = (figure) => {
  const controls = add(figure, "div", "", {class: "controls"});
  const place = add(figure, "div");
  addTakeAlong(controls, "causes", () => place.querySelector("svg"));
  const draw = () => {
    place.textContent = "";
    const rows = data.diff.causes;
    const left = 90, width = Math.max(300, Math.min(900, place.clientWidth)), row = 34;
    const svg = addSvg(place, width, rows.length * row + 4, "cycles of a message by cause, in A and in B");
    const x = d3.scaleLinear([0, d3.max(rows, (one) => Math.max(one.a, one.b)) || 1], [0, width - left - 90]);
    const groups = svg.selectAll("g").data(rows).join("g")
      .attr("transform", (_, i) => "translate(0," + i * row + ")");
    groups.append("text").attr("x", left - 8).attr("y", 20).attr("text-anchor", "end").text((one) => one.cause);
    for (const [key, top] of [["a", 2], ["b", 17]]) {
      groups.append("rect").attr("x", left).attr("y", top).attr("height", 13)
        .attr("width", (one) => Math.max(1, x(one[key]))).attr("fill", (one) => patternOf(one.cause));
      groups.append("text").attr("class", "amount").attr("x", (one) => left + x(one[key]) + 6).attr("y", top + 11)
        .text((one) => key.toUpperCase() + " " + d3.format(",.2f")(decimals(one[key], 2)));
    }
  };
  window.addEventListener("resize", draw);
  draw();
};
