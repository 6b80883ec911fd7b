// The congestion tree of a cycle: who waits for whom, the roots at the left.
function treeToShow(when) {
  const stretches = data.trial.stretches;
  if (when >= 0) return stretches[when].tree;
  return stretches.map((one) => one.tree).sort((a, b) => b.waiting - a.waiting)[0];
}

function hierarchyOf(branches) {
  const root = {words: "", children: []};
  const made = branches.map(([cause, line, vc, , messages]) => ({
    words: data.trial.causes[cause] + ": " + fabricWords.words(line) + (vc < 0 ? "" : ", VC " + vc),
    cause: data.trial.causes[cause], messages, children: [],
  }));
  branches.forEach(([, , , parent], i) => {
    (parent < 0 ? root : made[parent]).children.push(made[i]);
  });
  return d3.hierarchy(root);
}

function drawTree(place, tree) {
  const row = 19, column = 300;
  const root = d3.tree().nodeSize([row, column])(hierarchyOf(tree.branches));
  const nodes = root.descendants().slice(1);
  const [top, bottom] = d3.extent(nodes, (node) => node.x);
  const width = d3.max(nodes, (node) => node.depth) * column + 40;
  const svg = addSvg(place, width, bottom - top + 2 * row, "congestion tree").style("max-width", null);
  const x = (node) => (node.depth - 1) * column + 20;
  const y = (node) => node.x - top + row;
  const widest = d3.max(nodes, (node) => node.data.messages);
  svg.append("g").attr("fill", "none").attr("stroke", "var(--line)").selectAll("path")
    .data(nodes.filter((node) => node.depth > 1)).join("path")
    .attr("stroke-width", (node) => 1 + 7 * node.data.messages / widest)
    .attr("d", (node) => "M" + x(node.parent) + "," + y(node.parent) + "C" +
      (x(node) - 30) + "," + y(node.parent) + " " + (x(node) - 60) + "," + y(node) + " " +
      x(node) + "," + y(node));
  const labels = svg.append("g").selectAll("g").data(nodes).join("g")
    .attr("transform", (node) => "translate(" + x(node) + "," + y(node) + ")");
  labels.append("rect").attr("x", -5).attr("y", -5).attr("width", 10).attr("height", 10)
    .attr("fill", (node) => patternOf(node.data.cause)).attr("stroke", "var(--quiet)");
  labels.append("text").attr("x", 9).attr("y", 4).attr("paint-order", "stroke")
    .attr("stroke", "var(--ground)").attr("stroke-width", 3)
    .text((node) => node.data.messages + " for " + node.data.words);
}

drawers.tree = (figure) => {
  const words = add(figure, "p");
  const frame = add(figure, "div", "", {class: "frame", tabindex: 0});
  frame.style.maxHeight = "32rem";
  const show = () => {
    const tree = treeToShow(chosen.when);
    frame.textContent = "";
    words.textContent = "Cycle " + tree.cycle + ": " + (tree.waiting === 0
      ? "no message waits for another one."
      : counted(tree.waiting, "message") + " wait for others. A number counts those that wait " +
        "there or behind it; what stands at the left is the root.");
    if (tree.branches.length > 0) drawTree(frame, tree);
  };
  chosen.listeners.push(show);
  show();
};
