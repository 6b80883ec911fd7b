// The congestion tree of a cycle: who waits for whom, the roots at the left.
/// Of the stretches `first` .. `last` the one in whose tree most messages wait; of equals the last.
function treeToShow([first, last]) {
  const {tree_cycle: cycles, waiting} = data.trial.stretches;
  let stretch = first;
  for (let i = first; i <= last; ++i) if (waiting[i] >= waiting[stretch]) stretch = i;
  const {branches} = data.trial;
  const [begin, end] = rowsOf("branches", stretch, stretch);
  return {cycle: cycles[stretch], waiting: waiting[stretch],
          branches: d3.range(begin, end).map((row) => ({
            cause: data.trial.causes[branches.cause[row]], line: branches.line[row],
            port: branches.port[row], vc: branches.vc[row], parent: branches.parent[row], messages: branches.messages[row]}))};
}

function hierarchyOf(branches) {
  const root = {words: "", children: []};
  const passed = [];  // by branch: the places from the root to it; null: it is cut off
  const made = branches.map(({cause, line, port, vc, messages}) => ({
    words: cause + ": " + fabricWords.place(line, port) + (vc < 0 ? "" : ", VC " + vc),
    cause, line, messages, children: [],
  }));
  // A chain that comes to the same place again ends there.
  const is_first = branches.map(({cause, line, port, vc, parent}, i) => {
    const key = [cause, line, port, vc].join();
    const is_again = stop && parent >= 0 && (passed[parent] === null || passed[parent].has(key));
    passed.push(is_again ? null : new Set([...(parent < 0 ? [] : passed[parent]), key]));
    return !is_again;
  });
  branches.forEach(({parent}, i) => {
    if (is_first[i]) (parent < 0 ? root : made[parent]).children.push(made[i]);
  });
  return d3.hierarchy(root);
}

// The places of the columns: each as wide as its longest label.
function columnsOf(nodes) {
  const widths = [];
  for (const node of nodes) {
    const wide = 44 + 6.4 * labelOf(node).length;
    widths[node.depth] = Math.max(widths[node.depth] || 0, wide);
  }
  return widths.map((_, depth) => 12 + d3.sum(widths.slice(1, depth)));
}

function labelOf(node) { return node.data.messages + " for " + node.data.words; }

function drawTree(place, tree) {
  const row = 19;
  const root = d3.tree().nodeSize([row, 1])(hierarchyOf(tree.branches));
  const nodes = root.descendants().slice(1);
  const columns = columnsOf(nodes);
  const [top, bottom] = d3.extent(nodes, (node) => node.x);
  const x = (node) => columns[node.depth];
  const y = (node) => node.x - top + row;
  const end = (node) => x(node) + 14 + 6.4 * labelOf(node).length;
  const svg = addSvg(place, d3.max(nodes, end), bottom - top + 2 * row, "congestion tree")
    .style("max-width", null);
  const widest = d3.max(nodes, (node) => node.data.messages);
  svg.append("g").attr("fill", "none").attr("stroke", "var(--line)").selectAll("path")
    .data(nodes.filter((node) => node.depth > 1)).join("path")
    .attr("stroke-width", (node) => 1 + 7 * node.data.messages / widest)
    .attr("d", (node) => {
      const bend = x(node) - 22;
      return "M" + end(node.parent) + "," + y(node.parent) + "H" + bend + "C" + (bend + 10) + "," +
        y(node.parent) + " " + bend + "," + y(node) + " " + (x(node) - 5) + "," + y(node);
    });
  const labels = svg.append("g").selectAll("g").data(nodes).join("g")
    .attr("transform", (node) => "translate(" + x(node) + "," + y(node) + ")");
  labels.append("rect").attr("x", -5).attr("y", -5).attr("width", 10).attr("height", 10)
    .attr("fill", (node) => patternOf(node.data.cause)).attr("stroke", "var(--quiet)");
  labels.append("text").attr("x", 9).attr("y", 4).text(labelOf);
  labels.classed("branch", true).on("click", function () { pickLine(this.__data__.data.line); })
    .classed("chosen", (node) => view.pick !== null && view.pick.line === node.data.line);
}

drawers.tree = (figure) => {
  const controls = add(figure, "div", "", {class: "controls"});
  const words = add(figure, "p");
  const frame = add(figure, "div", "", {class: "frame tree", tabindex: 0});
  addTakeAlong(controls, "tree", () => frame.querySelector("svg"));
  const behind = add(figure, "div");
  const showStop = () => {
    const circle = stop.waits.filter((wait) => wait.in_circle).length;
    controls.hidden = frame.hidden = circle === 0;
    words.textContent = stop.counts + "." + closesInWords();
    if (circle > 0) drawCircle(frame);
    markNames(words);
    listBehind(behind);
    markNames(behind);
  };
  const show = () => {
    const range = stretchesOf(view.time);
    const tree = treeToShow(range);
    frame.textContent = "";
    behind.textContent = "";
    if (stop && (showsStop(range) || tree.cycle >= circleCloses)) return showStop();
    controls.hidden = frame.hidden = tree.branches.length === 0;
    words.textContent = tree.waiting === 0
      ? "No message waits for another one in " + timeInWords(cyclesOf(stretchesOf(view.time))) + "."
      : "Cycle " + number(tree.cycle) + ": " + number(tree.waiting) + " " + (tree.waiting > 1 ? waitersInWords() + " wait"
        : waitersInWords().replace("branches of messages", "branch of a message").replace("messages", "message") + " waits") + " for others. A number counts those that wait " +
        "there or behind it; what stands at the left is the root.";
    if (tree.branches.length > 0) drawTree(frame, tree);
  };
  view.listeners.push(show);
  window.addEventListener("resize", show);
};
