// Where a collective takes longer than its lower bound: the parts as one bar, the ports over time,
// and the steps of the schedule.
const boundLook = (i, many) => d3.interpolateViridis(.15 + .8 * i / Math.max(1, many));

drawers.to_bound = (figure) => {
  const {parts} = data.run.explanation.to_bound;
  const shown = parts.filter((one) => one.cycles !== 0);
  const looks = new Map(shown.map((one, i) => [one.part, boundLook(i, shown.length - 1)]));
  drawParts(figure, shown, looks);
  if (data.trial) drawPorts(figure);
  drawSteps(figure, shown.filter((one) => one.steps), looks);
};

function drawParts(figure, shown, looks) {
  const {bound, by, cycles} = data.run.explanation.to_bound;
  const list = [{part: "the bound, by " + by, cycles: bound}, ...shown];
  const width = 900, high = 44;
  const svg = addSvg(figure, width, high, "the bound of " + bound + " cycles and the parts beyond it");
  const all = d3.sum(list, (one) => Math.max(0, one.cycles)) || 1;
  let x = 0;
  const legend = add(figure, "ol", "", {class: "places"});
  for (const one of list) {
    const wide = width * Math.max(0, one.cycles) / all;
    const fill = looks.get(one.part) || "var(--quiet)";
    svg.append("rect").attr("class", "part").attr("x", x).attr("y", 2).attr("height", high - 4)
      .attr("width", Math.max(1, wide - 1)).attr("fill", fill)
      .append("title").text(one.part + ": " + counted(one.cycles, "cycle"));
    x += wide;
    const entry = add(legend, "li");
    const box = d3.select(entry).append("svg").attr("width", 22).attr("height", 12).attr("aria-hidden", true);
    box.append("rect").attr("width", 22).attr("height", 12).attr("fill", fill);
    add(entry, "span", " " + one.part + ": " + counted(one.cycles, "cycle") + " (" +
      percent(one.cycles, cycles) + ")", {class: "amount"});
  }
}

/// Calls `draw` with the width that there is, now and whenever that changes.
function drawInWidth(place, draw) {
  const again = () => {
    place.textContent = "";
    draw(Math.max(300, Math.min(900, place.clientWidth)));
  };
  window.addEventListener("resize", again);
  again();
}

/// The rows of the picture of ports: the injection channels of a port of all nodes, and the share of
/// their cycles in which flits are on them, by stretch.
function portRows() {
  const {port_uses, stretches, fabric} = data.trial;
  const {injections, names} = fabric;
  return injections.map((channels, port) => {
    const ways = names || injections.length < 2 ? "" : d3.range(fabric.nodes.length)
      .map((cell) => directionsOf(fabric.lines.length + cell, port))
      .reduce((a, b) => b.length > a.length ? b : a, "");
    const shares = Array.from(stretches.cycles, (cycles, i) =>
      channels > 0 ? port_uses.used[i * injections.length + port] / (cycles * channels) : 0);
    const used = d3.sum(shares, (share, i) => share * stretches.cycles[i]) / runCycles;
    return {words: "port " + port + (ways ? " (" + ways + ")" : ""), shares, used};
  });
}

/// `port 0 (+x): nothing in cycles 0 to 493 and 570 to 1,063`; empty: it always has something.
function idleInWords({words, shares}) {
  const spans = [];
  shares.forEach((share, i) => {
    if (share > 0) return;
    const last = spans[spans.length - 1];
    if (last && last[1] === i - 1) last[1] = i;
    else spans.push([i, i]);
  });
  const most = 4;
  if (spans.length === 0) return "";
  return words + ": nothing in " + spans.slice(0, most).map((span) => timeInWords(cyclesOf(span))).join(" and ") +
    (spans.length > most ? " and " + (spans.length - most) + " more times" : "") + ".";
}

function drawPorts(figure) {
  const rows = portRows();
  add(figure, "h3", "Injection ports of all nodes over time");
  add(figure, "p", "A row is the injection port of that number at every node. The colour is the share of these ports " +
    "that have a flit, from 0 to 100 % on the scale of the fabric; the others have no work. At the right stands the " +
    "share over the run.", {class: "quiet"});
  const list = add(figure, "ul", "", {class: "quiet port-words"});
  for (const row of rows) {
    const words = idleInWords(row);
    if (words) add(list, "li", words);
  }
  if (list.children.length === 0) list.remove();
  const place = add(figure, "div");
  figure.insertBefore(place, list.parentNode ? list : null);
  drawInWidth(place, (width) => {
    const {from, cycles} = data.trial.stretches;
    const left = 8 + 6.8 * d3.max(rows, (one) => one.words.length), right = width - 58, row = 20;
    const svg = addSvg(place, width, 24 + rows.length * row, "shares of the injection ports with flits over time")
      .attr("class", "ports");
    const x = d3.scaleLinear([0, runCycles], [left, right]);
    drawTimeAxis(svg, x, 12);
    rows.forEach(({words, shares, used}, i) => {
      const y = 22 + i * row;
      svg.append("text").attr("x", left - 6).attr("y", y + 14).attr("text-anchor", "end").text(words);
      svg.append("text").attr("class", "quiet").attr("x", width - 4).attr("y", y + 14).attr("text-anchor", "end")
        .text(percent(used, 1));
      shares.forEach((share, stretch) => {
        svg.append("rect").attr("x", x(from[stretch])).attr("y", y).attr("height", row - 2)
          .attr("width", x(from[stretch] + cycles[stretch]) - x(from[stretch]) + .3)
          .attr("fill", share > 0 ? heat(share) : "var(--soft)")
          .append("title").text(words + ", " + timeInWords(cyclesOf([stretch, stretch])) + ": " + percent(share, 1));
      });
    });
  });
}

/// `step 3`, `steps 3, 5 and 7 to 9`
function stepsInWords(steps) {
  const spans = [];
  for (const step of steps) {
    const before = spans[spans.length - 1];
    if (before && before[1] === step - 1) before[1] = step;
    else spans.push([step, step]);
  }
  const most = 5;
  const words = spans.slice(0, most).map(([a, b]) => a === b ? String(a) : a + " to " + b);
  if (spans.length > most) words.push("others");
  const last = words.pop();
  return (steps.length === 1 ? "step " : "steps ") + (words.length > 0 ? words.join(", ") + " and " : "") + last;
}

/// A bar for each step: the cycles in which its flits follow one another on the critical path, and which of
/// these belong to parts beyond the bound.
function drawSteps(figure, parts, looks) {
  const steps = new Map();
  (data.transfers || []).forEach((transfer, i) => {
    if (transfer > 0) steps.set(i + 1, {transfer, parts: []});
  });
  for (const {part, steps: list} of parts) {
    for (const {step, cycles, transfer} of list) {
      if (!steps.has(step)) steps.set(step, {transfer, parts: []});
      steps.get(step).parts.push([part, cycles]);
    }
  }
  if (parts.length === 0 || steps.size === 0) return;
  const last = d3.max(steps.keys());
  const empty = d3.range(1, last + 1).filter((step) => !steps.has(step));
  add(figure, "h3", "By step of the schedule");
  add(figure, "p", "A bar is the cycles in which flits of that step follow one another on the critical path; " +
    "coloured as above are those of " + parts.map((one) => one.part).join(" and ") + ", grey those that the bound has, too." + (empty.length === 0 ? "" : " No bar: the critical path has no flits of " +
    stepsInWords(empty) + "."), {class: "quiet"});
  const place = add(figure, "div");
  drawInWidth(place, (width) => {
    const high = 130, left = 60;
    const svg = addSvg(place, width, high + 40, "cycles beyond the bound by step").attr("class", "steps");
    const x = d3.scaleBand(d3.range(1, last + 1), [left, width - 8]).paddingInner(.15);
    const sum = (one) => d3.sum(one.parts, ([, cycles]) => Math.max(0, cycles));
    const y = d3.scaleLinear([0, d3.max(steps.values(), (one) => Math.max(one.transfer, sum(one)))], [high, 22]);
    svg.append("g").attr("class", "axis").attr("transform", "translate(" + left + ",0)")
      .call(d3.axisLeft(y).ticks(4));
    for (const [step, one] of steps) {
      let at = 0;
      const bar = (cycles, fill, words) => {
        if (cycles <= 0) return;
        const tall = Math.max(2, y(at) - y(at + cycles));
        svg.append("rect").attr("x", x(step)).attr("width", x.bandwidth()).attr("y", y(at) - tall)
          .attr("height", tall).attr("fill", fill)
          .append("title").text("step " + step + ": " + words + " " + number(cycles) + " of " +
                                number(Math.max(one.transfer, sum(one))));
        at += cycles;
      };
      bar(one.transfer - sum(one), "var(--quiet)", "as the bound");
      for (const [part, cycles] of one.parts) bar(cycles, looks.get(part), part);
    }
    const every = Math.ceil(24 / x.step());
    for (let step = 1; step <= last; ++step) {
      if ((step - 1) % every !== 0) continue;
      svg.append("text").attr("class", "quiet").attr("x", x(step) + x.bandwidth() / 2).attr("y", high + 16)
        .attr("text-anchor", "middle").text(step);
    }
    svg.append("text").attr("class", "quiet").attr("x", width - 8).attr("y", high + 34).attr("text-anchor", "end")
      .text("step");
    svg.append("text").attr("class", "quiet").attr("x", 4).attr("y", 12).text("cycles");
  });
}
