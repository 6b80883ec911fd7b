// The rows of a comparison: largest latencies by the causes of their critical paths, theory and the
// lower bound beside them; and two rows beside each other on one scale.
function rowName(row) {
  return row.parts === undefined ? row.algorithm : row.algorithm + ", " + counted(row.parts, "part");
}

function causesOf(rows) {
  return Object.keys(causeLooks).filter((cause) => rows.some((one) => one.by_cause[cause] > 0));
}

/// The bars as an SVG element.
function comparisonPicture(rows, width, ink, title) {
  const isNarrow = width < 640;
  const head = title === "" ? 0 : 26;
  const row = isNarrow ? 48 : 34, left = isNarrow ? 8 : 170, right = isNarrow ? 12 : 230;
  const causes = causesOf(rows);
  const perLine = Math.max(1, Math.floor((width - 16) / 120));
  const keys = title === "" ? 0 : 20 * Math.ceil(causes.length / perLine) + 8;
  const height = head + rows.length * row + 44 + keys;
  const svg = newPicture(width, height, "largest latency of each algorithm", ink);
  if (head > 0) addWords(svg, title, 8, 17, ink, {size: 13});
  // Where channels are narrow there is no theory, which counts as 0.
  const most = d3.max(rows, (one) => Math.max(one.max, one.theory, one.bound)) || 1;
  const x = d3.scaleLinear([0, most], [left, width - right]);
  rows.forEach((one, i) => {
    const top = head + 8 + i * row, bar = isNarrow ? top + 16 : top, high = isNarrow ? 20 : row - 12;
    addWords(svg, rowName(one), isNarrow ? left : left - 8, isNarrow ? top + 10 : top + 16, ink,
             {anchor: isNarrow ? "start" : "end"});
    let at = 0;
    for (const cause of causes.filter((name) => one.by_cause[name] > 0)) {
      const cycles = one.by_cause[cause];
      svg.append("rect").attr("x", x(at)).attr("y", bar).attr("width", x(cycles) - x(0))
        .attr("height", high).attr("fill", patternOf(cause))
        .append("title").text(rowName(one) + ": " + cause + " " + number(cycles));
      at += cycles;
    }
    const mark = (cycles, dash, words, name) => {
      if (cycles === null || cycles === undefined) return;
      svg.append("line").attr("class", name).attr("x1", x(cycles)).attr("x2", x(cycles)).attr("y1", bar - (isNarrow ? 1 : 4))
        .attr("y2", bar + high + 4).attr("stroke", ink.text).attr("stroke-width", 2)
        .attr("stroke-dasharray", dash).append("title").text(words + " " + number(cycles));
    };
    mark(one.theory, "", "theory", "theory");
    mark(one.bound, "3 2", "lower bound", "bound");
    const amount = number(one.max) + (one.theory !== null ? " (theory " + number(one.theory) + ")" : "");
    addWords(svg, amount, isNarrow ? width - right : x(Math.max(one.max, one.theory, one.bound)) + 8,
             isNarrow ? top + 10 : top + 16, ink, {anchor: isNarrow ? "end" : "start"}).attr("class", "amount");
  });
  const low = head + rows.length * row + 12;
  let free = -Infinity;
  for (const value of x.ticks(8)) {
    if (x(value) - free < 7 * number(value).length + 12) continue;
    free = x(value);
    svg.append("line").attr("x1", free).attr("x2", free).attr("y1", low - 6).attr("y2", low - 1)
      .attr("stroke", ink.line);
    addWords(svg, number(value), free, low + 12, ink, {anchor: "middle", isQuiet: true});
  }
  addWords(svg, "cycles", width - 8, low + 28, ink, {anchor: "end", isQuiet: true});
  if (keys > 0) {
    causes.forEach((cause, i) => {
      const [at, y] = [8 + 120 * (i % perLine), height - keys + 20 * Math.floor(i / perLine)];
      svg.append("rect").attr("x", at).attr("y", y).attr("width", 22).attr("height", 12)
        .attr("fill", patternOf(cause));
      addWords(svg, cause, at + 27, y + 11, ink);
    });
  }
  return svg.node();
}

/// Calls `draw` now, when the width of `figure` changes, and when the page turns dark or light.
function drawAgain(figure, draw) {
  let width = figure.clientWidth;
  draw();
  addEventListener("resize", () => {
    if (figure.clientWidth === width) return;
    width = figure.clientWidth;
    draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addListener(draw);
}

drawers.comparison = (figure) => {
  const rows = data.rows.filter((row) => row.max !== null);
  const place = add(figure, "div", "", {class: "plot"});
  drawAgain(figure, () => {
    place.textContent = "";
    place.appendChild(comparisonPicture(rows, Math.max(280, place.clientWidth), inkOf(false), ""));
  });
  addLegend(figure, causesOf(rows));
  add(figure, "p", "A bar is the largest latency of all trials. The solid line is theory, without " +
    "contention; the dashed one is the lower bound of any schedule.", {class: "note"});
  const take = add(figure, "div", "", {class: "controls take"});
  const title = document.querySelector("h1").textContent + ": largest latency by cause";
  addTakeAlong(take, "comparison", () => comparisonPicture(rows, 1100, inkOf(true), title), () => title);
};

/// Two of the rows, chosen by name; the view is `a`, `b` and `map` of the address.
class Beside {
  constructor(figure) {
    this.rows = data.rows.filter((row) => row.max !== null);
    this.names = this.rows.map(rowName);
    this.a = this.names.includes(data.best) ? data.best : this.names[0];
    this.b = this.names.includes(data.next) ? data.next : this.names.find((name) => name !== this.a);
    this.map = data.fabric && (data.fabric.names || data.fabric.sides.length <= 2) &&
      data.fabric.nodes.length <= 400 ? "fabric" : "matrix";
    const controls = add(figure, "div", "", {class: "controls"});
    const names = this.names.map((name) => [name, name]);
    const chosen = (set) => (value) => {
      set(value);
      pageAddress.write([["a", this.a], ["b", this.b], ...(data.fabric ? [["map", this.map]] : [])]);
      tellProblems([]);
      this.draw();
    };
    this.select = {
      a: addChoice(controls, "a", names, chosen((name) => { this.a = name; })),
      b: addChoice(controls, "b", names, chosen((name) => { this.b = name; })),
    };
    if (data.fabric) {
      this.select.map = addChoice(controls, "channels", [["fabric", "as the fabric"], ["matrix", "a row for each node"]],
                                  chosen((map) => { this.map = map; }));
    }
    this.answer = add(figure, "p", "", {class: "answer", "aria-live": "polite"});
    this.bars = add(figure, "div", "", {class: "plot"});
    this.take = add(figure, "div", "", {class: "controls take"});
    addTakeAlong(this.take, "two", () => this.barsPicture(1100, inkOf(true), true), () => this.words());
    if (data.fabric) {
      this.mapWords = add(figure, "p", "", {class: "note"});
      this.maps = add(figure, "div", "", {class: "maps"});
    }
    this.use(pageAddress.read());
    pageAddress.heed(() => {
      this.use(pageAddress.read());
      this.draw();
    });
    drawAgain(figure, () => this.draw());
  }

  use(pairs) {
    const problems = [];
    for (const [name, value] of pairs) {
      if (name === "a" || name === "b") {
        if (this.names.includes(value)) this[name] = value;
        else problems.push([name, value, "names no row"]);
      } else if (name === "map" && data.fabric) {
        if (value === "fabric" || value === "matrix") this.map = value;
        else problems.push([name, value, "is neither fabric nor matrix"]);
      } else {
        problems.push([name, value, "is nothing that a view has"]);
      }
    }
    tellProblems(ignoredPairs(problems));
  }

  row(name) { return this.rows[this.names.indexOf(name)]; }
  pair() { return [this.row(this.a), this.row(this.b)]; }

  words() {
    const [a, b] = this.pair();
    const sum = (row, cause) => row.by_cause[cause] || 0;
    const differences = causesOf([a, b]).map((cause) => [cause, sum(b, cause) - sum(a, cause)])
      .filter(([, cycles]) => cycles !== 0).sort((one, other) => Math.abs(other[1]) - Math.abs(one[1]));
    const signed = (cycles) => (cycles > 0 ? "+" : "\u2212") + number(Math.abs(cycles));
    const gap = b.max - a.max;
    const parts = differences.map(([cause, cycles]) => cause + " " + signed(cycles)).join(", ");
    return "The largest latency is " + number(a.max) + " of " + this.a + " and " + number(b.max) + " of " + this.b +
      (gap === 0 ? ": equal" : ": " + number(Math.abs(gap)) + " cycles " + (gap > 0 ? "more" : "less") +
        " (" + percent(Math.abs(gap), a.max) + ")") +
      (parts === "" ? "." : "; from a to b by cause: " + parts + ".");
  }

  draw() {
    for (const [name, select] of Object.entries(this.select)) select.value = this[name];
    this.answer.textContent = this.words();
    this.bars.textContent = "";
    this.bars.appendChild(this.barsPicture(Math.max(280, this.bars.clientWidth), inkOf(false), false));
    if (data.fabric) this.drawMaps();
  }

  // For each cause the cycles of a above those of b, and the difference behind them.
  barsPicture(width, ink, isPaper) {
    const [a, b] = this.pair();
    const causes = causesOf([a, b]);
    const head = isPaper ? 26 : 6, row = 46, left = 100, right = 130;
    const height = head + row * causes.length + 8;
    const svg = newPicture(width, height, this.words(), ink);
    if (isPaper) addWords(svg, this.words(), 8, 17, ink);
    const value = (one, cause) => one.by_cause[cause] || 0;
    const most = d3.max(causes, (cause) => Math.max(value(a, cause), value(b, cause))) || 1;
    const x = d3.scaleLinear([0, most], [left, width - right]);
    causes.forEach((cause, i) => {
      const top = head + i * row;
      addWords(svg, cause, left - 8, top + 22, ink, {anchor: "end"});
      [a, b].forEach((one, j) => {
        const cycles = value(one, cause), y = top + 4 + 17 * j;
        svg.append("rect").attr("class", "pair").attr("x", left).attr("y", y).attr("height", 15)
          .attr("width", Math.max(cycles > 0 ? 1 : 0, x(cycles) - left)).attr("fill", patternOf(cause))
          .append("title").text((j === 0 ? this.a : this.b) + ": " + cause + " " + number(cycles));
        addWords(svg, (j === 0 ? "a " : "b ") + number(cycles), x(cycles) + 6, y + 12, ink, {size: 11, isQuiet: true});
      });
      const gap = value(b, cause) - value(a, cause);
      addWords(svg, gap === 0 ? "equal" : (gap > 0 ? "+" : "\u2212") + number(Math.abs(gap)), width - 8, top + 22, ink,
               {anchor: "end"}).attr("class", "gap");
    });
    return svg.node();
  }

  drawMaps() {
    const [a, b] = this.pair();
    const most = d3.max([...a.uses, ...b.uses]) || 1;
    const gaps = b.uses.map((use, line) => use - a.uses[line]);
    const widest = d3.max(gaps, Math.abs) || 1;
    const even = (uses) => heat(uses / most);
    const split = (gap) => d3.interpolateRdBu(.5 - .5 * gap / widest);
    const busiest = (row) => {
      const line = d3.maxIndex ? d3.maxIndex(row.uses) : row.uses.indexOf(d3.max(row.uses));
      return channelName(line) + " " + number(row.uses[line]);
    };
    this.mapWords.textContent = "Cycles in which a channel carries a flit, mean of the trials, on one scale from 0 to " +
      inWords(most) + "; busiest: " + busiest(a) + " (a), " + busiest(b) +
      " (b). The third map is b less a, from \u2212" + inWords(widest) + " (blue) to +" + inWords(widest) + " (red).";
    markNames(this.mapWords);
    this.maps.textContent = "";
    const width = Math.min(420, Math.max(260, (this.maps.clientWidth - 30) / 3));
    const one = (words, uses, look, tell) => {
      const figure = add(this.maps, "figure");
      add(figure, "figcaption", words);
      figure.appendChild(this.map === "fabric" ? fabricMap(uses, look, tell, width) : matrixMap(uses, look, tell, width));
    };
    one("a: " + this.a, a.uses, even, inWords);
    one("b: " + this.b, b.uses, even, inWords);
    one("b less a", gaps, split, (gap) => (gap > 0 ? "+" : "") + inWords(gap));
    this.drawScales(even, split, most, widest);
  }

  drawScales(even, split, most, widest) {
    const ink = inkOf(false);
    const scale = (low, high, look) => {
      const svg = newPicture(260, 34, "scale of colours", ink);
      d3.range(0, 60).forEach((i) => svg.append("rect").attr("x", 4 + 4.2 * i).attr("y", 2).attr("width", 4.4)
        .attr("height", 12).attr("fill", look(low + (high - low) * i / 59)));
      addWords(svg, inWords(low), 4, 28, ink, {size: 11, isQuiet: true});
      addWords(svg, inWords(high), 256, 28, ink, {size: 11, isQuiet: true, anchor: "end"});
      this.maps.appendChild(svg.node());
    };
    scale(0, most, even);
    scale(-widest, widest, split);
  }
}

function cellName(cell) {
  const {fabric} = data;
  return fabric.names ? fabric.names[cell] : String(fabric.nodes[cell]);
}

function channelName(line) {
  const [from, to, dimension, sign] = data.fabric.lines[line];
  return cellName(from) + " -> " + cellName(to) + " (" +
    (data.fabric.names ? "port " + dimension : direction(dimension, sign)) + ")";
}

/// The channels where the fabric has them.
function fabricMap(uses, look, tell, width) {
  const {fabric} = data;
  const places = layOut(fabric);
  const [left, right] = d3.extent(places, (place) => place[0]);
  const [top, bottom] = d3.extent(places, (place) => place[1]);
  const air = .9, box = [left - air, top - air, right - left + 2 * air, bottom - top + 2 * air];
  const svg = d3.create("svg").attr("viewBox", box).attr("width", width)
    .attr("height", Math.max(80, Math.min(1.2 * width, width * box[3] / box[2])))
    .attr("role", "img").attr("aria-label", "channels of the fabric");
  svg.selectAll(null).data(uses).join("path").attr("d", (_, line) => wayOf(line, fabric, places))
    .attr("fill", "none").attr("stroke", look).attr("stroke-width", .11)
    .append("title").text((use, line) => channelName(line) + ": " + tell(use));
  svg.selectAll(null).data(places).join("circle").attr("cx", (place) => place[0]).attr("cy", (place) => place[1])
    .attr("r", .13).attr("fill", "var(--quiet)").append("title").text((_, cell) => "node " + cellName(cell));
  return svg.node();
}

/// A row for each node, and a column for each of its channels.
function matrixMap(uses, look, tell, width) {
  const {fabric} = data;
  const isGraph = Boolean(fabric.names);
  const columns = [...new Set(fabric.lines.map((line) => isGraph ? line[2] : 2 * line[2] + (line[3] < 0 ? 1 : 0)))]
    .sort(d3.ascending);
  const rows = fabric.nodes.length, left = 44, top = 18;
  const high = Math.max(1, Math.min(16, Math.floor(560 / rows)));
  const wide = (width - left) / columns.length;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = top + rows * high;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "channels: a row for each node");
  const pen = canvas.getContext("2d");
  pen.font = "11px system-ui, sans-serif";
  const cells = new Map();
  uses.forEach((use, line) => {
    const [from, , dimension, sign] = fabric.lines[line];
    const column = columns.indexOf(isGraph ? dimension : 2 * dimension + (sign < 0 ? 1 : 0));
    cells.set(from + "," + column, line);
    pen.fillStyle = look(use);
    pen.fillRect(left + column * wide, top + from * high, Math.max(1, wide - 1), high > 3 ? high - 1 : high);
  });
  pen.fillStyle = colour("quiet");
  columns.forEach((column, i) => {
    const words = isGraph ? "port " + column
      : direction(column >> 1, fabric.lines.some((line) => line[2] === column >> 1 && line[3] === 0) ? 0 : column % 2 ? -1 : 1);
    pen.fillText(words.replace("dimension ", "dim "), left + i * wide, 12, wide);
  });
  const step = Math.ceil(14 / high);
  for (let cell = 0; cell < rows; cell += step) pen.fillText(cellName(cell), 0, top + cell * high + Math.min(high, 11), left - 4);
  canvas.addEventListener("mousemove", (event) => {
    const line = cells.get(Math.floor((event.offsetY - top) / high) + "," + Math.floor((event.offsetX - left) / wide));
    canvas.title = line === undefined ? "" : channelName(line) + ": " + tell(uses[line]);
  });
  return canvas;
}

drawers.beside = (figure) => new Beside(figure);
