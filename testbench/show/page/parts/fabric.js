// The fabric, its channels coloured by what they do in the time that is chosen.
const dark = matchMedia("(prefers-color-scheme: dark)");

/// A perceptually even scale: what is more stands out more from the ground.
function heat(share) {
  const at = Math.max(0, Math.min(1, share));
  return d3.interpolateViridis(dark.matches ? .12 + .88 * at : .94 - .94 * at);
}

/// Where the scale of a measure ends: the most that a channel between cells has in the whole run or
/// in a tenth of it. It is the same whatever time is chosen, so that colours can be compared.
function scaleEnd(measure) {
  if (scaleEnd.known.has(measure)) return scaleEnd.known.get(measure);
  const {lines} = data.trial.fabric;
  const {rows} = data.trial.stretches;
  const many = Math.max(1, Math.ceil(rows / 10));
  const ranges = d3.range(0, rows, many).map((first) => [first, Math.min(rows, first + many) - 1]);
  let most = 0;
  for (const range of [[0, rows - 1], ...ranges]) {
    const sums = lineSums(range), cycles = cyclesIn(cyclesOf(range));
    for (let line = 0; line < lines.length; ++line) {
      most = Math.max(most, measures[measure].of(sums, line, cycles));
    }
  }
  const end = measures[measure].is_share ? Math.min(1, Math.ceil(most * 10 - 1e-9) / 10) || .1
    : d3.scaleLinear([0, most || 1], [0, 1]).nice(4).domain()[1];
  scaleEnd.known.set(measure, end);
  return end;
}
scaleEnd.known = new Map();

class FabricPicture {
  constructor(figure) {
    this.fabric = data.trial.fabric;
    this.many = !this.fabric.names && this.fabric.sides.length > 2;
    const maps = [["all", "map of all channels"], ["planes", "planes"], ["matrix", "matrix"]];
    if (!this.many) maps.splice(1, 1);
    if (this.many && this.fabric.nodes.length > 32) maps.unshift(...maps.splice(1, 1));
    if (this.fabric.nodes.length === 1) maps.splice(1);
    offer("map", maps);
    const contended = data.run.explanation.contended / (data.run.explanation.cycles || 1);
    const by = Object.entries(measures).map(([word, {words}]) => [word, words]);
    // In a deadlock the question is who waits, and not who has been used.
    if (contended > .2 || data.run.deadlock) by.unshift(...by.splice(2, 1));
    offer("by", by);
    const halves = [["ends", "injection and ejection"]];
    if (this.many) {
      halves.push(["beyond", "the busiest channel to other planes"]);
      for (let i = 2; i < this.fabric.sides.length; ++i) {
        halves.push(["d" + i, "the channels of dimension " + i]);
      }
      halves.unshift(...halves.splice(1, 1));
    }
    offer("halves", halves);
    this.addControls(figure, by, maps, halves);
    const panes = add(figure, "div", "", {class: "panes"});
    this.frame = add(panes, "div", "", {class: "frame map"});
    const side = add(panes, "div", "", {class: "side"});
    this.legend = add(side, "div");
    this.list = add(side, "div");
    view.listeners.push(() => this.show());
    dark.addEventListener("change", () => this.show());
    let width = 0;
    window.addEventListener("resize", () => {
      if (this.frame.clientWidth !== width) this.show(true);
      width = this.frame.clientWidth;
    });
  }

  addControls(figure, by, maps, halves) {
    const controls = add(figure, "div", "", {class: "controls"});
    this.choices = {by: addChoice(controls, "colour by", by, (word) => setView({by: word}))};
    if (maps.length > 1) {
      this.choices.map = addChoice(controls, "shown as", maps, (word) => setView({map: word}));
    }
    if (halves.length > 1) {
      this.choices.halves = addChoice(controls, "halves of a node", halves,
                                      (word) => setView({halves: word}));
    }
    addButton(controls, "+", () => this.zoomBy(1.5), "zoom in");
    addButton(controls, "-", () => this.zoomBy(1 / 1.5), "zoom out");
    addButton(controls, "fit", () => this.zoom && this.svg.call(this.zoom.transform, d3.zoomIdentity));
    addTakeAlong(controls, "fabric", () => this.svg.node());
  }

  zoomBy(factor) { if (this.zoom) this.svg.call(this.zoom.scaleBy, factor); }

  show(is_new = false) {
    for (const [key, select] of Object.entries(this.choices)) select.value = view[key];
    if (this.choices.halves) this.choices.halves.parentNode.hidden = view.map !== "planes";
    const key = view.map + " " + (view.map === "planes" ? view.halves : "");
    if (is_new || key !== this.drawn) {
      const had_focus = this.svg && document.activeElement === this.svg.node();
      this.frame.textContent = "";
      this.shapes = [];
      this.queues = [];
      if (view.map === "matrix") {
        this.drawMatrix();
      } else {
        this.drawMap(view.map === "planes");
      }
      this.svg.node().addEventListener("click", (event) => this.press(event));
      this.svg.node().addEventListener("keydown", (event) => this.key(event));
      if (had_focus) this.svg.node().focus({preventScroll: true});
      this.drawn = key;
    }
    this.colour();
  }

  start(width, height, left = 0, top = 0) {
    this.svg = d3.select(this.frame).append("svg").attr("class", "fabric")
      .attr("viewBox", [left, top, width, height]).attr("tabindex", 0).attr("role", "application")
      .attr("aria-label", "the fabric; arrow keys choose a node, Enter one of its channels, v another " +
        "way to draw it, Escape nothing");
    return this.svg.append("g");
  }

  drawMap(is_planes) {
    const is_narrow = this.frame.clientWidth < 600;
    const places = is_planes ? layOutPlanes(this.fabric, is_narrow) : layOut(this.fabric);
    const [left, right] = d3.extent(places, (place) => place[0]);
    const [top, bottom] = d3.extent(places, (place) => place[1]);
    const width = right - left + 1.4, height = bottom - top + 1.4 + (is_planes ? .4 : 0);
    const from = [left - .7, top - .7 - (is_planes ? .4 : 0)];
    const world = this.start(width, height, ...from);
    const high = Math.max(240, Math.min(is_narrow ? 1400 : 900, height * 110));
    this.svg.style("max-height", high + "px");
    this.pixel = Math.max(width / this.frame.clientWidth, height / high);
    this.zoom = d3.zoom().scaleExtent([.5, 40]).extent([from, [from[0] + width, from[1] + height]])
      .filter((given) => {
        const event = given instanceof Event ? given : d3.event;  // the one of D3 6, the other of 5
        return event.type !== "wheel" ? !event.button : event.ctrlKey;
      })
      .on("zoom", () => {
        world.attr("transform", d3.zoomTransform(this.svg.node()));
        this.showArrows();
      });
    this.svg.call(this.zoom).on("dblclick.zoom", null);
    this.drawLines(world, places, is_planes);
    this.drawArrows(world, places, is_planes);
    this.drawNodes(world, places, is_planes);
    if (is_planes) this.drawPlaneNames(world, places);
  }

  drawLines(world, places, is_planes) {
    const {lines} = this.fabric;
    const shown = d3.range(lines.length).filter((line) => !is_planes || lines[line][2] < 2);
    const paths = world.append("g").selectAll("path").data(shown).join("path")
      .attr("d", (line) => wayOf(line, this.fabric, places)).attr("data-line", (line) => line);
    paths.append("title").text((line) => fabricWords.words(line));
    this.shapes.push({paths, kind: "line", lines: (line) => [line]});
  }

  // The directions of channels, where there is room for them.
  drawArrows(world, places, is_planes) {
    const {lines} = this.fabric;
    const shown = d3.range(lines.length).filter((line) => !is_planes || lines[line][2] < 2);
    this.arrows = world.append("path").attr("class", "arrows")
      .attr("d", shown.map((line) => arrowsOf(line, this.fabric, places)).join(""));
    this.showArrows();
  }

  has_arrows() {
    const least = 3.5;  // pixels
    return arrowLength * d3.zoomTransform(this.svg.node()).k / this.pixel >= least;
  }

  showArrows() { this.arrows.style("display", this.has_arrows() ? null : "none"); }

  // The left half of a node is its injection, the right half its ejection; or the channels to other
  // planes, of a direction each, or of a hypercube those that go out and those that come in.
  drawNodes(world, places, is_planes) {
    const nodes = world.append("g").selectAll("g").data(d3.range(places.length)).join("g")
      .attr("transform", (cell) => "translate(" + places[cell] + ")");
    nodes.filter((cell) => fabricWords.isSwitch(cell)).append("rect").attr("class", "half")
      .attr("x", -.14).attr("y", -.14).attr("width", .28).attr("height", .28)
      .attr("fill", "none").attr("data-cell", (cell) => cell);
    const ofProcessors = nodes.filter((cell) => !fabricWords.isSwitch(cell));
    const beyond = is_planes && view.halves !== "ends" ? this.linesBeyond() : null;
    for (const [side, kind] of [[0, "injection"], [1, "ejection"]]) {
      const paths = ofProcessors.append("path").attr("class", "half")
        .attr("d", "M0,-.19A.19,.19 0 0 " + side + " 0,.19Z").attr("data-cell", (cell) => cell)
        .attr("data-kind", kind);
      const lines = beyond ? (cell) => beyond[side].get(cell) || []
        : (cell) => [fabricWords.first(kind) + cell];
      this.shapes.push({paths, kind: "half", lines});
    }
    nodes.append("title").text((cell) => fabricWords.cell(cell));
    this.drawQueues(nodes, places, is_planes);
    // Where names would be tiny, or run into one another, a click tells them.
    const size = Math.max(.2, 10 * this.pixel);
    const longest = d3.max(this.fabric.nodes, (_, cell) => String(fabricWords.name(cell)).length);
    if (size > .34 || .6 * size * longest > .9) return;
    nodes.append("text").attr("class", "quiet").attr("x", .2).attr("y", -.2)
      .style("font-size", size + "px").style("pointer-events", "none")
      .text((cell) => fabricWords.name(cell));
  }

  // On the rim of a node, before the channel that they wait to begin with: the queues of its injection
  // channels, where each of these serves one direction.
  drawQueues(nodes, places, is_planes) {
    const {lines, injections, names, wraps, sides} = this.fabric;
    if (names || fabricWords.is_folded || injections.length < 2) return;
    const marks = [];
    places.forEach((_, cell) => injections.forEach((_, port) => {
      const of = linesOfPort(cell, port);
      if (of.length !== 1 || (is_planes && lines[of[0]][2] > 1)) return;
      const [from, to, dimension] = lines[of[0]];
      const [x, y] = [0, 1].map((i) => places[to][i] - places[from][i]);
      const is_back = wraps && sides.length > 1 && sides[dimension] > 1 && closesRing(of[0], this.fabric);
      const far = Math.hypot(x, y) * (is_back ? -1 : 1);
      marks.push({cell, port, x: x / far, y: y / far});
    }));
    const parents = nodes.nodes();
    this.queues = marks.map((mark) => ({...mark, dot: d3.select(parents[mark.cell]).append("circle")
      .attr("class", "queue").attr("cx", .19 * mark.x).attr("cy", .19 * mark.y)
      .attr("data-cell", mark.cell)}));
    for (const {cell, port, dot} of this.queues) {
      dot.append("title").text(fabricWords.place(fabricWords.first("injection") + cell, port));
    }
  }

  // Queues are shown where the colours are of messages that wait.
  colourQueues(end) {
    const first = fabricWords.first("injection");
    const of = this.queues.map(({cell, port}) => (this.sums.ports.get(first + cell) || new Map()).get(port) || 0);
    const most = d3.max(of) || 1;
    this.queues.forEach(({dot}, i) => {
      dot.style("display", of[i] > 0 && !measures[view.by].is_share ? null : "none")
        .attr("r", .02 + .05 * Math.sqrt(of[i] / most))
        .style("fill", view.by === "cause" ? causeLooks.port[0] : heat(of[i] / this.cycles / end));
    });
  }

  // The lines to other planes: for each half of a node by cell.
  linesBeyond() {
    const of = [new Map(), new Map()];
    const put = (side, cell, line) => {
      if (!of[side].has(cell)) of[side].set(cell, []);
      of[side].get(cell).push(line);
    };
    const wanted = view.halves === "beyond" ? null : Number(view.halves.slice(1));
    this.fabric.lines.forEach(([from, to, dimension, sign], line) => {
      if (dimension < 2 || (wanted !== null && dimension !== wanted)) return;
      put(sign < 0 ? 1 : 0, from, line);
      if (sign === 0) put(1, to, line);
    });
    return of;
  }

  drawPlaneNames(world, places) {
    const {sides, nodes} = this.fabric;
    const of = sides[0] * sides[1];
    world.append("g").selectAll("text").data(d3.range(0, nodes.length, of)).join("text")
      .attr("x", (cell) => places[cell][0] - .3)
      .attr("y", (cell) => places[cell][1] - (sides[1] - 1) - .6)
      .style("font-size", Math.min(.5, .16 * sides[0]) + "px")
      .text((cell) => planeInWords(cell, this.fabric));
  }

  drawMatrix() {
    const layout = layOutMatrix(this.fabric, Math.max(300, this.frame.clientWidth - 8));
    const {columns, rows, bands, wide, high, label} = layout;
    const world = this.start(layout.width, layout.height);
    this.svg.style("max-height", null);
    this.zoom = null;
    const order = neighbourOrder(this.fabric);
    const left = (band) => band * (label + columns.length * wide + 14) + label;
    const cells = [];
    order.forEach((cell, place) => {
      columns.forEach((column, i) => {
        const line = column.line(cell);
        if (line < 0) return;
        cells.push({line, x: left(Math.floor(place / rows)) + i * wide, y: 20 + place % rows * high});
      });
    });
    const paths = world.append("g").selectAll("rect").data(cells).join("rect")
      .attr("x", (one) => one.x).attr("y", (one) => one.y)
      .attr("width", wide - Math.min(2, wide / 10)).attr("height", high - (high > 6 ? 1 : .4))
      .attr("data-line", (one) => one.line);
    if (cells.length < 1500) paths.append("title").text((one) => fabricWords.words(one.line));
    this.shapes.push({paths, kind: "cell", lines: (one) => [one.line]});
    for (let band = 0; band < bands; ++band) {
      columns.forEach((column, i) => {
        world.append("text").attr("class", "quiet").attr("x", left(band) + (i + .5) * wide).attr("y", 12)
          .attr("text-anchor", "middle").style("font-size", Math.min(12, wide * .42 + 2) + "px")
          .text(column.words);
      });
    }
    const every = Math.max(1, Math.ceil(11 / high));
    order.forEach((cell, place) => {
      if (place % rows % every !== 0) return;
      world.append("text").attr("class", "quiet").attr("text-anchor", "end")
        .attr("x", left(Math.floor(place / rows)) - 5).attr("y", 20 + place % rows * high + Math.min(high, 10))
        .style("font-size", "10px").text(String(fabricWords.name(cell)).slice(0, 8));
    });
  }

  /// What a shape shows: the largest amount among its lines.
  value(lines) {
    const measure = measures[view.by];
    let most = 0;
    for (const line of lines) most = Math.max(most, measure.of(this.sums, line, this.cycles));
    return most;
  }

  cause(lines) {
    let most = 0, main = -1;
    for (const line of lines) {
      if (this.sums.waiting[line] > most) {
        most = this.sums.waiting[line];
        main = mainOf(this.sums.waits, line);
      }
    }
    return main < 0 ? null : data.trial.causes[main];
  }

  colour() {
    this.range = stretchesOf(view.time);
    this.sums = lineSums(this.range);
    this.cycles = cyclesIn(cyclesOf(this.range));
    const is_cause = view.by === "cause";
    const end = is_cause ? 1 : scaleEnd(view.by);
    const circle = deadlockedLines();
    for (const {paths, kind, lines} of this.shapes) {
      const looks = paths.data().map((one) => {
        const of = lines(one);
        const value = this.value(of);
        const cause = is_cause && value > 0 ? this.cause(of) : null;
        const colour = value === 0 ? null : is_cause ? (cause ? causeLooks[cause][0] : null)
          : heat(value / end);
        return {value, cause, colour, is_held: of.some((line) => circle.has(line))};
      });
      const look = (of) => (_, i) => of(looks[i]);
      // Of causes the strength tells how many wait, by the square root.
      const most = d3.max(looks, (one) => one.value) || 1;
      const strength = (one) => is_cause ? Math.sqrt(one.value / most) : 1;
      if (kind === "line") {
        const width = (one) => one.value === 0 ? .02 : .03 + .08 * strength(one);
        paths.attr("stroke", look((one) => one.colour || "var(--quiet)"))
          .attr("stroke-width", look(width))
          .attr("stroke-opacity", look((one) => one.value === 0 ? .5 : 1))
          .attr("stroke-dasharray", look((one) => one.cause ? dashes[one.cause] || null : null));
        // What is thin lies over what is thick, so that neither hides the other.
        const places = d3.range(looks.length).sort((a, b) => width(looks[b]) - width(looks[a]));
        const nodes = paths.nodes();
        for (const at of places) nodes[at].parentNode.appendChild(nodes[at]);
      } else {
        paths.style("fill", look((one) => one.colour || "var(--soft)"))
          .style("fill-opacity", look((one) => one.colour ? .2 + .8 * strength(one) : 1));
      }
      paths.classed("held", look((one) => one.is_held));
    }
    this.colourQueues(end);
    this.mark();
    this.drawLegend(end);
    this.explainShapes();
    this.drawList();
  }

  mark() {
    const {pick} = view;
    const waited = pick && pick.message !== undefined ? messageList[pick.message].lines : null;
    const is_chosen = (line) => pick !== null &&
      (pick.line === line || (waited !== null && waited.has(line)));
    for (const {paths, kind, lines} of this.shapes) {
      paths.classed("chosen", (one) => lines(one).some(is_chosen) ||
        (pick !== null && pick.cell !== undefined &&
         (kind === "half" ? one === pick.cell
           : kind === "cell" && cellOfLine(one.line) === pick.cell)));
    }
  }

  drawLegend(end) {
    this.legend.textContent = "";
    if (view.by === "cause") {
      const cycles = new Map();
      for (const of of this.sums.waits.values()) {
        for (const [cause, count] of of) cycles.set(cause, (cycles.get(cause) || 0) + count);
      }
      const order = [...cycles].sort((a, b) => b[1] - a[1]);
      addLegend(this.legend, order.map(([cause]) => data.trial.causes[cause]),
                order.map(([, count]) => counted(count, "cycle")));
      add(this.legend, "p", "The stronger, the more messages wait on average; grey: none.", {class: "quiet"});
      return;
    }
    const svg = addSvg(this.legend, 300, 44, "colours from 0 to " + amountInWords(view.by, end));
    const steps = d3.range(60);
    svg.selectAll("rect").data(steps).join("rect").attr("x", (i) => 10 + i * 4.6).attr("y", 4)
      .attr("width", 4.8).attr("height", 14).attr("fill", (i) => heat(i / 59));
    const x = d3.scaleLinear([0, end], [10, 290]);
    svg.append("g").selectAll("text").data(x.ticks(4).filter((tick) => tick < end * .55)
      .concat(end)).join("text").attr("y", 34).attr("x", x)
      .attr("text-anchor", (tick) => tick === end ? "end" : x(tick) < 20 ? "start" : "middle")
      .text((tick) => (measures[view.by].is_share ? Math.round(100 * tick) + " %" : number(tick)) +
        (tick === end ? " and more" : ""));
    add(this.legend, "p", measures[view.by].words + "; grey: nothing.", {class: "quiet"});
  }

  // What is drawn besides colours.
  explainShapes() {
    const words = [];
    if (view.map === "planes" && view.halves !== "ends") {
      words.push("The halves of a node are its channels to other planes.");
    } else if (view.map !== "matrix") {
      words.push("The left half of a node is its injection, the right half its ejection.");
    } else {
      words.push("A row is a node, a column the channels of a direction; in and out are injection and ejection.");
    }
    if (view.map !== "matrix") {
      words.push("A channel lies at the right of the one that goes back" +
        (this.has_arrows() ? "; an arrow shows where it leads." : "; closer by, arrows show where it leads."));
    }
    if (this.queues.some(({dot}) => dot.style("display") !== "none")) {
      words.push("A dot on the rim of a node is its queue for that direction, the larger, the longer.");
    }
    if (deadlockedLines().size > 0) words.push("Red: the channels that the circle of the deadlock waits for.");
    add(this.legend, "p", words.join(" "), {class: "quiet shapes"});
  }

  // Beside the picture: the channels of the node that is chosen, or those with the most.
  drawList() {
    const {lines} = this.fabric;
    const {pick} = view;
    const cell = !pick ? undefined : pick.cell !== undefined ? pick.cell
      : pick.line !== undefined ? cellOfLine(pick.line) : undefined;
    const all = d3.range(fabricWords.first("channels"));
    const amount = (line) => measures[view.by].of(this.sums, line, this.cycles);
    const list = all.filter((line) => cell === undefined ? amount(line) > 0 : cellOfLine(line) === cell)
      .filter((line) => !fabricWords.isSwitch(cellOfLine(line)) || line < lines.length)
      .sort((a, b) => amount(b) - amount(a)).slice(0, cell === undefined ? 10 : 40);
    this.list.textContent = "";
    // What is waited for in the end is told as it was found, and not as cycles of those that move no more.
    const is_stop = cell === undefined && showsStop(this.range) && !measures[view.by].is_share;
    if (is_stop && stop.waits.some((wait) => lineOfWait(wait) >= 0)) {
      listStop(this.list);
      return markNames(this.list);
    }
    add(this.list, "h3", (cell === undefined ? "Most " + (view.by === "cause" ? "waited for" : view.by)
      : "Channels of " + fabricWords.cell(cell)) + ", " + timeInWords(cyclesOf(this.range)));
    addWholeRun(this.list);
    if (list.length === 0) add(this.list, "p", "Nothing.");
    const items = add(this.list, "ol", "", {class: "places"});
    // What a channel does in that time and what in the run are two numbers.
    const run = stretchesOf(null);
    const ofRun = (line) => measures[view.by].of(lineSums(run), line, cyclesIn(cyclesOf(run)));
    for (const line of list) {
      const cause = view.by === "cause" ? mainOf(this.sums.waits, line) : -1;
      const port = measures[view.by].is_share ? -1 : mainOf(this.sums.ports, line);
      const most = [...(cause < 0 ? [] : [data.trial.causes[cause]]),
                    ...(directionsOf(line, port) ? [directionsOf(line, port)] : [])];
      const words = fabricWords.words(line) + ": " + amountInWords(view.by, amount(line)) +
        (most.length === 0 ? "" : " (" + most.join(", ") + ")");
      const item = add(items, "li");
      const button = addButton(item, words, () => pickLine(line));
      if (view.time) add(item, "span", "; whole run " + amountInWords(view.by, ofRun(line)).replace(" waiting", ""), {class: "quiet whole"});
      if (pick && pick.line === line) button.setAttribute("aria-pressed", "true");
    }
    markNames(this.list);
  }

  press(event) {
    const {line, cell} = event.target.dataset;
    if (line !== undefined) pickLine(Number(line));
    if (cell !== undefined) setView({pick: {cell: Number(cell)}});
  }

  key(event) {
    const moves = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1],
                   PageUp: [2, 1], PageDown: [2, -1]};
    if (event.key === "Enter") this.nextChannel();
    if (event.key === "Escape") setView({pick: null});
    if (event.key === "v") {
      const {map} = viewChoices;
      setView({map: map[(map.indexOf(view.map) + 1) % map.length]});
    }
    if (event.key === "+") this.zoomBy(1.5);
    if (event.key === "-") this.zoomBy(1 / 1.5);
    if (!(event.key in moves)) return;
    event.preventDefault();
    const cell = this.cellOfChoice();
    const [dimension, step] = moves[event.key];
    setView({pick: {cell: cell < 0 ? 0 : this.neighbour(cell, dimension, step)}});
  }

  cellOfChoice() {
    const {pick} = view;
    if (!pick || pick.message !== undefined) return -1;
    return pick.line === undefined ? pick.cell : cellOfLine(pick.line);
  }

  neighbour(cell, dimension, step) {
    const {sides, names} = this.fabric;
    if (names) return (cell + step + names.length) % names.length;
    if (dimension >= sides.length) dimension = 0;
    const stride = stridesOf(sides)[dimension];
    const at = coordinate(cell, dimension, sides);
    const to = (at + step + sides[dimension]) % sides[dimension];
    if (at !== sides[dimension] - 1 || step < 0) return cell + (to - at) * stride;
    // Beyond the last one of a pair of dimensions comes the next pair: so keys reach every cell.
    return (cell + (to - at) * stride + stride * sides[dimension]) % this.fabric.nodes.length;
  }

  nextChannel() {
    const cell = this.cellOfChoice();
    if (cell < 0) return;
    const lines = d3.range(this.fabric.lines.length)
      .filter((line) => this.fabric.lines[line][0] === cell);
    const at = view.pick.line === undefined ? -1 : lines.indexOf(view.pick.line);
    if (lines.length > 0) setView({pick: {line: lines[(at + 1) % lines.length]}});
  }
}

/// The lines on which the messages of a deadlock wait in their circle.
function deadlockedLines() {
  if (!deadlockedLines.known) {
    const of = new Set((data.run.deadlock || []).map(({channel}) => channel.node + "." + channel.port));
    deadlockedLines.known = new Set(d3.range(data.trial.fabric.lines.length)
      .filter((line) => of.has(channelAddress(line))));
  }
  return deadlockedLines.known;
}

let fabricPicture = null;
drawers.fabric = (figure) => { fabricPicture = new FabricPicture(figure); };
