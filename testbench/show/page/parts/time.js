// The channels over time, in rows over one axis. The frame on it is the time of all that is shown.
class TimePicture {
  constructor(figure) {
    this.frame = add(figure, "div", "", {class: "frame"});
    // What the marks of a deadlock are; they stand in its order of time.
    this.marks = marksOfStop();
    if (this.marks.length > 0) {
      add(figure, "p", "Dashed: " + this.marks.map(([words, cycle]) => words + " in cycle " + number(cycle)).join(", ") +
        this.unseenInWords() + ". The last cycle here is " + number(runCycles - 1) + ": until then credits may be on their way. From cycle " +
        number(stop.cycle) + " on, that of the deadlock, none is.", {class: "quiet"});
    }
    this.addControls(figure);
    window.addEventListener("resize", () => this.draw());
    view.listeners.push(() => this.draw());
  }

  /// Where the last flit moves on no channel of this picture.
  unseenInWords() {
    const [at] = stretchesOf([stop.last_movement, stop.last_movement]);
    return data.trial.stretches.used[at] > 0 ? "" : ", between a router and its processor, which is no channel of this picture";
  }

  addControls(figure) {
    const controls = add(figure, "div", "", {class: "controls"});
    const box = (words, id) => addControl(controls, "input", words,
      {type: "number", min: 0, max: runCycles - 1, id, size: 9});
    this.from = box("from cycle", "time-from");
    this.to = box("to", "time-to");
    // A field that goes past the other one takes it along.
    this.from.addEventListener("change", () => {
      const [from, to] = this.span();
      const wanted = Number(this.from.value);
      this.set(wanted, wanted > to ? wanted + to - from : to);
    });
    this.to.addEventListener("change", () => {
      const [from, to] = this.span();
      const wanted = Number(this.to.value);
      this.set(wanted < from ? wanted - (to - from) : from, wanted);
    });
    if (stop) addButton(controls, "the stop", () => setView({time: timeOfStop()}));
    if (busiestTenth) addButton(controls, "busiest tenth", () => setView({time: busiestTenth}));
    addButton(controls, "whole run", () => setView({time: null}));
    addButton(controls, "narrower", () => this.stretch(.5));
    addButton(controls, "wider", () => this.stretch(2));
    addCopyButton(controls, "copy the address of this view",
                  () => location.href.split("#")[0] + addressOf());
    addTakeAlong(controls, "time", () => this.svg.node());
  }

  span() { return view.time || [0, runCycles - 1]; }

  set(from, to) {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return this.draw();
    const clamp = (cycle) => Math.max(0, Math.min(runCycles - 1, Math.round(cycle)));
    const [first, last] = [clamp(Math.min(from, to)), clamp(Math.max(from, to))];
    setView({time: first === 0 && last === runCycles - 1 ? null : [first, last]});
  }

  stretch(factor) {
    const [from, to] = this.span();
    const half = Math.max(.5, (to - from + 1) * factor / 2);
    const middle = (from + to + 1) / 2;
    this.set(Math.floor(middle - half), Math.ceil(middle + half) - 1);
  }

  /// Moves the frame by a number of stretches.
  move(count) {
    const [from, to] = this.span();
    const most = runCycles - 1 - to;
    const by = Math.max(-from, Math.min(most, count * data.trial.every));
    this.set(from + by, to + by);
  }

  rows() {
    const {stretches, fabric} = data.trial;
    const channels = d3.sum(fabric.lines, (line) => line[4]) || 1;
    const each = (of) => Array.from(stretches.cycles, (cycles, i) => of(i) / cycles);
    const busiest = each((i) => stretches.busiest_used[i] /
      (fabric.lines.length > 0 ? channelsOf(stretches.busiest[i]) : 1));
    const list = [
      ["the busiest channel of each stretch of " + counted(data.trial.every, "cycle"), busiest, "used",
       (i) => ", " + fabricWords.words(stretches.busiest[i]) + ", in " + timeInWords(cyclesOf([i, i]))],
      ["all channels, mean", each((i) => stretches.used[i] / channels), "used"],
      ["blocked, mean", each((i) => stretches.blocked[i] / channels), "waiting"],
      ["multicasts and joins", each((i) => stretches.shared[i] / channels), "used"],
    ];
    const line = view.pick && view.pick.line;
    // The row is there before a channel is chosen, so that nothing below it moves then.
    const is_chosen = line !== undefined && line !== null;
    list.push([is_chosen ? "the channel chosen" : "a channel that you choose",
               each((i) => is_chosen ? lineSums([i, i]).uses[0][line] / channelsOf(line) : 0), "accent"]);
    return list;
  }

  draw() {
    this.frame.textContent = "";
    const width = Math.max(300, this.frame.clientWidth), row = 40, left = 8, right = width - 8;
    const rows = this.rows();
    const height = 22 + rows.length * row + 6;
    this.x = d3.scaleLinear([0, runCycles], [left, right]);
    this.svg = addSvg(this.frame, width, height, "channels over time; the arrow keys move the time " +
        "that is shown, with shift its end, Home and End lead to the ends of the run, Escape shows all of it")
      .attr("class", "time").attr("tabindex", 0).attr("role", "application");
    drawTimeAxis(this.svg, this.x, 14);
    const [from, to] = this.span();
    this.svg.append("rect").attr("class", "window").attr("x", this.x(from)).attr("y", 20)
      .attr("width", Math.max(2, this.x(to + 1) - this.x(from))).attr("height", height - 22);
    rows.forEach((one, i) => this.drawRow(one, 22 + i * row, row));
    for (const [words, cycle] of this.marks) {
      const at = this.x(cycle + .5);
      this.svg.append("path").attr("class", "moment").attr("d", "M" + at + ",20V" + (height - 2))
        .append("title").text("cycle " + number(cycle) + ": " + words);
    }
    const node = this.svg.node();
    node.addEventListener("pointerdown", (event) => this.grab(event));
    node.addEventListener("keydown", (event) => this.key(event));
    this.from.value = from;
    this.to.value = to;
    if (this.has_focus) node.focus({preventScroll: true});
    this.has_focus = false;
  }

  /// `of`: more words about the stretch in which it is most.
  drawRow([words, values, look, of = () => ""], top, row) {
    const {from, cycles} = data.trial.stretches;
    const most = d3.max(values) || 0;
    const y = d3.scaleLinear([0, most || 1], [top + row - 3, top + 14]);
    let way = "M" + this.x(0) + "," + y(0);
    values.forEach((value, i) => {
      way += "V" + y(value).toFixed(1) + "H" + this.x(from[i] + cycles[i]).toFixed(1);
    });
    this.svg.append("path").attr("d", way + "V" + y(0) + "Z").attr("fill", "var(--" + look + ")")
      .attr("fill-opacity", .75);
    const is_narrow = this.x.range()[1] < 600;
    this.svg.append("text").attr("class", "halo").attr("x", 10).attr("y", top + 11)
      .text(words + (most > 0 ? ": at most " + percent(most, 1) + (is_narrow ? "" : of(values.indexOf(most))) : ": none"));
  }

  at(event) {
    const box = this.frame.getBoundingClientRect();
    return Math.max(0, Math.min(runCycles - 1, Math.floor(this.x.invert(event.clientX - box.left))));
  }

  // Inside the frame it is moved, at its edges widened, and beside it a new one is drawn.
  grab(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const start = this.at(event);
    const [from, to] = this.span();
    const near = (cycle) => Math.abs(this.x(cycle) - this.x(start)) < 7;
    const drag = near(from) && from > 0 ? (now) => [now, to]
      : near(to + 1) && to < runCycles - 1 ? (now) => [from, now]
      : view.time && from <= start && start <= to
        ? (now) => {
          const by = Math.max(-from, Math.min(runCycles - 1 - to, now - start));
          return [from + by, to + by];
        }
      : (now) => [start, now];
    let last = null;
    const move = (next) => {
      const [a, b] = drag(this.at(next));
      last = [Math.min(a, b), Math.max(a, b)];
      const frame = this.svg.select(".window");
      frame.attr("x", this.x(last[0])).attr("width", Math.max(2, this.x(last[1] + 1) - this.x(last[0])));
    };
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      this.has_focus = true;
      if (last === null) return this.draw();
      this.set(...cyclesOf(stretchesOf(last)));  // whole stretches
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  key(event) {
    const [from, to] = this.span();
    const {every} = data.trial;
    const acts = {
      ArrowRight: () => event.shiftKey ? this.set(from, to + every) : this.move(1),
      ArrowLeft: () => event.shiftKey ? this.set(from, Math.max(from, to - every)) : this.move(-1),
      Home: () => this.set(0, to - from), End: () => this.set(runCycles - 1 - (to - from), runCycles - 1),
      Escape: () => setView({time: null}), "+": () => this.stretch(.5), "-": () => this.stretch(2),
    };
    if (!(event.key in acts)) return;
    event.preventDefault();
    this.has_focus = true;
    acts[event.key]();
  }
}

/// Cycles above a picture whose scale is `x`, as many as there is room for.
function drawTimeAxis(svg, x, y) {
  const [left, right] = x.range();
  const wide = 9 * number(Math.round(x.domain()[1])).length + 20;
  const ticks = x.ticks(Math.max(2, Math.floor((right - left) / wide)))
    .filter((tick) => Number.isInteger(tick) && x(tick) < right - wide / 2);
  const axis = svg.append("g").attr("class", "axis");
  axis.selectAll("text").data(ticks).join("text").attr("x", (tick) => Math.max(x(tick), 14))
    .attr("y", y).attr("text-anchor", "middle")
    .text((tick) => number(tick));
  axis.selectAll("line").data(ticks).join("line").attr("x1", x).attr("x2", x).attr("y1", y + 4)
    .attr("y2", y + 8);
}

let timePicture = null;
drawers.time = (figure) => { timePicture = new TimePicture(figure); };
