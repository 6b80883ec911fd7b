// The fabric, its channels drawn by what they do in the chosen stretch of the run.
const useNames = Object.keys(useLooks);  // in the order of a stretch's numbers

/// The words for lines, which are numbered: those between cells, then four inside each cell.
const fabricWords = (() => {
  if (!data.trial) return null;
  const {lines, nodes, factors, names = nodes, processors} = data.trial.fabric;
  const is_folded = factors.some((factor) => factor > 1);
  const kind = (i) => processors && !processors[i] ? "switch " : "node ";
  const cell = (i) => (is_folded ? "the block of " : "") + kind(i) + names[i];
  const inside = ["injection", "ejection", "channels", "processor"];
  const words = (line) => {
    if (line < lines.length) {
      const [from, to, dimension, sign, channels] = lines[line];
      const way = processors ? (is_folded ? "" : " (port " + dimension + ")")
        : " (" + direction(dimension, sign) + ")";
      return (channels > 1 ? channels + " channels " : "channel ") + names[from] + " -> " +
        names[to] + way;
    }
    const at = line - lines.length;
    return inside[Math.floor(at / nodes.length)] + " of " + cell(at % nodes.length);
  };
  return {words, cell, is_folded, name: (i) => names[i],
          isSwitch: (i) => !is_folded && processors !== undefined && !processors[i],
          first: (kind) => lines.length + inside.indexOf(kind) * nodes.length};
})();

/// What a line does in stretch `when`, or over the whole run: {uses, flits, most, waits}.
const lineState = (() => {
  if (!data.trial) return null;
  const known = new Map();
  const blank = () => ({uses: [0, 0, 0, 0], flits: 0, most: 0, waits: {}, blamed: 0, waiting: 0});
  const state = (states, line) => {
    if (!states.has(line)) states.set(line, blank());
    return states.get(line);
  };
  const note = (states, stretch) => {
    for (const [line, used, lost, no_credit, empty, flits, most] of stretch.uses) {
      const at = state(states, line);
      [used, lost, no_credit, empty].forEach((cycles, i) => { at.uses[i] += cycles; });
      at.flits += flits;
      at.most = Math.max(at.most, most);
    }
    for (const [line, cause, cycles, blamed] of stretch.waits) {
      const at = state(states, line);
      const name = data.trial.causes[cause];
      at.waits[name] = (at.waits[name] || 0) + cycles;
      at.waiting += cycles;
      at.blamed += blamed;
    }
  };
  const statesOf = (when) => {
    if (!known.has(when)) {
      const states = new Map();
      for (const stretch of when < 0 ? data.trial.stretches : [data.trial.stretches[when]]) {
        note(states, stretch);
      }
      known.set(when, states);
    }
    return known.get(when);
  };
  return (line, when) => statesOf(when).get(line) || blank();
})();

function cyclesOf(when) {
  return when < 0 ? data.trial.cycles : data.trial.stretches[when].cycles;
}

function whenInWords(when) {
  if (when < 0) return "the whole run, " + counted(data.trial.cycles, "cycle");
  const {from, cycles} = data.trial.stretches[when];
  return cycles === 1 ? "cycle " + from : "cycles " + from + " .. " + (from + cycles - 1);
}

/// The colour, width, dashes and strength of a line.
const colourings = {
  used: (state, cycles, channels) => {
    const share = state.uses[0] / (cycles * channels);
    return {share, colour: colour("used")};
  },
  waiting: (state, cycles, channels) => {
    const share = (state.uses[1] + state.uses[2] + state.uses[3]) / (cycles * channels);
    return {share, colour: colour("waiting")};
  },
  cause: (state, cycles) => {
    const [cause] = Object.entries(state.waits).sort((a, b) => b[1] - a[1])[0] || [];
    const share = cause === undefined ? 0 : Math.min(1, .4 + state.waiting / cycles / 2);
    return {share, colour: cause === undefined ? colour("quiet") : causeLooks[cause][0],
            dash: dashes[cause]};
  },
};

function stateInWords(line, when) {
  const state = lineState(line, when);
  const channels = line < data.trial.fabric.lines.length ? data.trial.fabric.lines[line][4] : 1;
  const cycles = cyclesOf(when) * channels;
  const parts = useNames.map((name, i) => name + " " + number(state.uses[i]));
  let words = fabricWords.words(line) + " in " + whenInWords(when) + "\n  ";
  const is_processor = line >= fabricWords.first("processor");
  if (!is_processor) {
    words += parts.join(", ") +
      (fabricWords.is_folded ? "" : ", idle " + number(cycles - d3.sum(state.uses))) + "; " +
      counted(state.flits, "flit") + ", at most " + counted(state.most, "head") + " waiting\n  ";
  }
  const waits = Object.entries(state.waits).sort((a, b) => b[1] - a[1]);
  if (waits.length === 0) return words + "no message waits for it";
  return words + "cycles waited for it: " +
    waits.map(([cause, count]) => cause + " " + number(count)).join(", ") + "; " +
    number(state.blamed) + " of them blame another message";
}

function nodeInWords(cell, when) {
  const {nodes} = data.trial.fabric;
  if (fabricWords.isSwitch(cell)) return fabricWords.cell(cell) + " has no processor: choose a channel";
  const lines = ["injection", "ejection", "processor"]
    .map((kind) => stateInWords(fabricWords.first(kind) + cell, when));
  const latency = data.run.latency.by_destination && data.run.latency.by_destination[nodes[cell]];
  const has = latency === undefined || fabricWords.is_folded
    ? "" : fabricWords.cell(cell) + " has everything in cycle " + number(latency) + "\n";
  return has + lines.join("\n");
}

class FabricPicture {
  constructor(figure) {
    this.fabric = data.trial.fabric;
    this.by = "used";
    this.cell = -1;
    this.palest = this.fabric.lines.length > 2000 ? .05 : .18;  // many idle lines would hide others
    this.addControls(figure);
    const frame = add(figure, "div", "", {class: "frame"});
    this.details = add(figure, "div", "", {class: "details", "aria-live": "polite"});
    this.legend = add(figure, "div");
    this.draw(frame);
    chosen.listeners.push(() => this.colour());
    this.colour();
  }

  addControls(figure) {
    const controls = add(figure, "div", "", {class: "controls"});
    const names = [["used", "used: the share of the cycles in which flits go"],
                   ["waiting", "waiting: owned or wanted, and no flit goes"],
                   ["cause", "the cause of most waiting"]];
    addChoice(controls, "colour by", names, (by) => { this.by = by; this.colour(); });
    const last = data.trial.stretches.length - 1;
    this.slider = addControl(controls, "input", "time",
                             {type: "range", min: -1, max: last, step: 1, value: -1, id: "time"});
    this.slider.addEventListener("input", () => choose(Number(this.slider.value)));
    this.when = add(controls, "output", "", {for: "time"});
    addButton(controls, "+", () => this.zoomBy(1.5), "zoom in");
    addButton(controls, "-", () => this.zoomBy(1 / 1.5), "zoom out");
    addButton(controls, "fit", () => this.svg.call(this.zoom.transform, d3.zoomIdentity));
  }

  zoomBy(factor) { this.svg.call(this.zoom.scaleBy, factor); }

  draw(frame) {
    const places = layOut(this.fabric);
    const [left, right] = d3.extent(places, (place) => place[0]);
    const [top, bottom] = d3.extent(places, (place) => place[1]);
    const width = right - left + 2, height = bottom - top + 2;
    const scale = Math.min(1200 / width, Math.max(220, Math.min(760, height * 90)) / height, 110);
    this.svg = d3.select(frame).append("svg").attr("class", "fabric")
      .attr("viewBox", [left - 1, top - 1, width, height])
      .attr("width", width * scale).attr("height", height * scale).style("max-width", "100%")
      .attr("tabindex", 0).attr("role", "application")
      .attr("aria-label", "the fabric; arrow keys choose a node, Enter one of its channels");
    const world = this.svg.append("g");
    this.zoom = d3.zoom().scaleExtent([.5, 40])
      .extent([[left - 1, top - 1], [right + 1, bottom + 1]])
      .on("zoom", () => world.attr("transform", d3.zoomTransform(this.svg.node())));
    this.svg.call(this.zoom).on("dblclick.zoom", null);
    this.drawLines(world, places);
    this.drawNodes(world, places);
    this.svg.node().addEventListener("click", (event) => this.press(event));
    this.svg.node().addEventListener("keydown", (event) => this.key(event));
  }

  drawLines(world, places) {
    this.lines = world.append("g").selectAll("path").data(d3.range(this.fabric.lines.length))
      .join("path").attr("d", (line) => wayOf(line, this.fabric, places))
      .attr("data-line", (line) => line);
    this.lines.append("title").text((line) => fabricWords.words(line));
  }

  // The left half of a node is its injection, the right half its ejection.
  drawNodes(world, places) {
    const nodes = world.append("g").selectAll("g").data(d3.range(places.length)).join("g")
      .attr("transform", (cell) => "translate(" + places[cell] + ")");
    this.halves = [];
    nodes.filter((cell) => fabricWords.isSwitch(cell)).append("rect").attr("class", "half")
      .attr("x", -.14).attr("y", -.14).attr("width", .28).attr("height", .28)
      .attr("fill", "none").attr("data-cell", (cell) => cell);
    const ofProcessors = nodes.filter((cell) => !fabricWords.isSwitch(cell));
    for (const [kind, sweep] of [["injection", 0], ["ejection", 1]]) {
      this.halves.push(ofProcessors.append("path").attr("class", "half")
        .attr("d", "M0,-.17A.17,.17 0 0 " + sweep + " 0,.17Z").attr("data-cell", (cell) => cell)
        .attr("data-kind", kind));
    }
    nodes.append("title").text((cell) => fabricWords.cell(cell));
    if (places.length > 300) return;
    nodes.append("text").attr("class", "quiet").attr("x", .2).attr("y", -.2)
      .style("font-size", ".2px").style("pointer-events", "none")
      .text((cell) => fabricWords.name(cell));
  }

  look(line) {
    const count = line < this.fabric.lines.length ? this.fabric.lines[line][4] : 1;
    return colourings[this.by](lineState(line, chosen.when), cyclesOf(chosen.when), count);
  }

  colour() {
    this.slider.value = chosen.when;
    this.when.textContent = whenInWords(chosen.when);
    const looks = d3.range(this.fabric.lines.length).map((line) => this.look(line));
    this.lines.attr("stroke", (line) => looks[line].colour)
      .attr("stroke-width", (line) => .025 + .1 * Math.min(1, looks[line].share))
      .attr("stroke-opacity", (line) => this.palest + (1 - this.palest) * Math.min(1, looks[line].share))
      .attr("stroke-dasharray", (line) => looks[line].dash || null);
    this.halves.forEach((half, i) => {
      const first = fabricWords.first(i === 0 ? "injection" : "ejection");
      const of = (cell) => this.look(first + cell);
      half.style("fill", (cell) => of(cell).colour)
        .style("fill-opacity", (cell) => .08 + .92 * Math.min(1, of(cell).share));
    });
    this.legend.textContent = "";
    if (this.by === "cause") {
      const seen = new Set(d3.merge(data.trial.stretches.map((one) => one.waits.map((w) => w[1]))));
      addLegend(this.legend, [...seen].map((cause) => data.trial.causes[cause]));
    } else {
      add(this.legend, "p", "A wide, strong line: in all cycles; a thin, pale one: in none.");
    }
    this.tell();
  }

  press(event) {
    const {line, cell} = event.target.dataset;
    if (line !== undefined) this.chooseLine(Number(line));
    if (cell !== undefined) this.chooseCell(Number(cell));
  }

  chooseLine(line) {
    this.cell = -1;
    this.line = line;
    this.tell();
  }

  chooseCell(cell) {
    this.cell = cell;
    this.line = undefined;
    this.tell();
  }

  tell() {
    this.lines.classed("chosen", (line) => line === this.line);
    for (const half of this.halves) half.classed("chosen", (cell) => cell === this.cell);
    if (this.line !== undefined) {
      this.details.textContent = stateInWords(this.line, chosen.when);
    } else if (this.cell >= 0) {
      this.details.textContent = nodeInWords(this.cell, chosen.when);
    } else {
      this.details.textContent = "Choose a node or a channel for its numbers: with a click, or with " +
        "the arrow keys and Enter.";
    }
  }

  key(event) {
    const moves = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1],
                   PageUp: [2, 1], PageDown: [2, -1]};
    if (event.key === "Enter") this.nextChannel();
    if (event.key === "+") this.zoomBy(1.5);
    if (event.key === "-") this.zoomBy(1 / 1.5);
    if (!(event.key in moves)) return;
    event.preventDefault();
    const cell = this.cellOfChoice();
    const [dimension, step] = moves[event.key];
    this.chooseCell(cell < 0 ? 0 : this.neighbour(cell, dimension, step));
  }

  cellOfChoice() {
    return this.line === undefined ? this.cell : this.fabric.lines[this.line][0];
  }

  neighbour(cell, dimension, step) {
    const {sides, names} = this.fabric;
    if (names) return (cell + step + names.length) % names.length;
    if (dimension >= sides.length) dimension = 0;
    let stride = 1;
    for (let i = 0; i < dimension; ++i) stride *= sides[i];
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
    if (lines.length > 0) this.chooseLine(lines[(lines.indexOf(this.line) + 1) % lines.length]);
  }
}

drawers.fabric = (figure) => new FabricPicture(figure);
