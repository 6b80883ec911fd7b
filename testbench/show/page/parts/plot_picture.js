// Draws the curves of a view: a panel for each value of the panels' option, all on the same axes.
const plotDashes = ["", "7 3", "2 3", "9 3 2 3", "4 2", "12 4"];

/// The looks of the names of curves. Where there are more of them than colours, those that are the
/// best somewhere have the colours, and the others are thin and grey.
function looksOf(curves, winners) {
  let names = [...new Set(curves.map((curve) => curve.name))];
  if (names.length > data.colours.length) {
    const best = new Set(winners.map((one) => one.best.name));
    names = [...names.filter((name) => best.has(name)), ...names.filter((name) => !best.has(name))];
  }
  return new Map(names.map((name, i) => [name, {
    number: i, isGrey: i >= data.colours.length, light: data.colours[i],
    dash: plotDashes[i % plotDashes.length], mark: d3.symbol(d3.symbols[i % d3.symbols.length], 46)(),
  }]));
}

function inkOfLook(look, ink) {
  if (look.isGrey) return ink.quiet;
  if (!ink.dark) return look.light;
  const lit = d3.hcl(look.light);
  lit.l = Math.max(lit.l, 74);
  return lit.formatHex ? lit.formatHex() : lit.toString();
}

class PlotPicture {
  /// `shown`: the view, its curves, winners, axis and looks; `width` in pixels; `ink`: colours.
  constructor(shown, width, ink, isPaper) {
    Object.assign(this, shown);
    this.ink = ink;
    this.width = width;
    this.isPaper = isPaper;
    this.visible = this.curves.filter((curve) => !this.view.hidden.has(curve.name));
    this.panels = [...new Set(this.curves.map((curve) => curve.panel))];
    if (this.panels.length === 0) this.panels = [""];
    this.columns = this.panels.length === 1 || width < 640 ? 1 : this.panels.length > 4 && width > 1000 ? 3 : 2;
    this.names = [...new Set(this.visible.map((curve) => curve.name))];
    this.hasLabels = this.panels.length === 1 && width >= 700 && this.names.length <= 12 &&
      this.axis.areNumbers;
    const longest = d3.max(this.names, (name) => name.length) || 0;
    this.right = this.hasLabels ? Math.min(260, 24 + 7 * Math.max(longest, 11)) : 16;
    this.left = 74;
    this.cell = Math.floor(width / this.columns);
    this.room = this.cell - this.left - this.right;
    this.setScales();
    this.plot_height = this.panels.length === 1 ? Math.max(240, Math.min(440, .42 * width)) : 230;
    this.top = this.panels.length === 1 ? 30 : 46;
    this.bottom = this.tilts ? 44 + Math.min(90, 4.2 * d3.max(this.ticks, ([, words]) => words.length)) : 44;
    this.head = isPaper ? 24 : 0;
    this.rows = Math.ceil(this.panels.length / this.columns);
    this.row_height = this.top + this.plot_height + this.bottom;
    this.legend_height = isPaper && !this.hasLabels ? 20 * this.names.length + 24 : 0;
  }

  setScales() {
    const points = this.visible.flatMap((curve) => curve.points);
    const xs = [...this.axis.places.values()];
    const [low, high] = d3.extent(xs);
    const range = [0, this.room];
    this.isXLog = this.axis.canBeLog && (this.view.log.x === null ? this.axis.suitsLog : this.view.log.x);
    if (!this.axis.areNumbers) {
      this.x = d3.scaleLinear([-.5, xs.length - .5], range);
    } else if (low === high) {
      this.x = d3.scaleLinear([low - 1, high + 1], range);
    } else {
      this.x = this.isXLog ? d3.scaleLog([low, high], range) : d3.scaleLinear([low, high], range);
    }
    const bounds = points.map((point) => point.bound).filter((bound) => bound !== null && bound !== undefined);
    const means = [...points.map((point) => point.mean), ...bounds];
    const least = d3.min(means), most = d3.max(means);
    const canBeLog = least > 0;
    this.isYLog = canBeLog && (this.view.log.y === null ? most >= 100 * least : this.view.log.y);
    // An interval is shown as far as half and twice its mean.
    const ends = points.filter((point) => point.half > 0 && point.mean > 0).flatMap((point) => [
      Math.max(point.mean - point.half, point.mean / 2), Math.min(point.mean + point.half, 2 * point.mean)]);
    const bottom = d3.min([...means, ...ends]), top = d3.max([...means, ...ends]);
    this.domain = means.length === 0 ? [0, 1]
      : this.isYLog ? [bottom / 1.1, top * 1.1] : [Math.min(0, bottom), top > Math.min(0, bottom) ? top * 1.04 : 1];
    this.setTicks();
  }

  // Those that have room; names have it, tilted.
  setTicks() {
    const places = [...this.axis.places].sort((a, b) => a[1] - b[1]);
    const own = places.map(([text, x]) => [x, this.axis.words(text)]);
    const room = (words) => 7 * words.length + 14;
    this.tilts = false;
    if (!this.axis.areNumbers) {
      this.ticks = own;
      this.tilts = d3.sum(own, ([, words]) => room(words)) > this.room;
      return;
    }
    const all = own.length <= 64 ? own : this.x.ticks(8).map((x) => [x, this.axis.format(x)]);
    for (let step = 1; step <= all.length; ++step) {
      this.ticks = all.filter((_, i) => i % step === 0);
      const fits = this.ticks.every(([x, words], i) => i === 0 || this.x(x) - this.x(this.ticks[i - 1][0]) >=
        (room(words) + room(this.ticks[i - 1][1])) / 2);
      if (fits) break;
    }
  }

  get height() { return this.head + this.rows * this.row_height + this.legend_height; }

  draw() {
    const label = this.view.y + " over " + this.view.x + ": " + this.sentences.join(" ");
    const svg = newPicture(this.width, this.height, label, this.ink);
    if (this.isPaper) addWords(svg, this.title, 8, 17, this.ink, {size: 13});
    this.panels.forEach((panel, i) => {
      const group = svg.append("g").attr("transform", "translate(" +
        (this.left + this.cell * (i % this.columns)) + "," +
        (this.head + this.top + this.row_height * Math.floor(i / this.columns)) + ")");
      this.drawPanel(group, panel);
    });
    if (this.legend_height > 0) this.drawLegend(svg, this.head + this.rows * this.row_height + 8);
    return svg.node();
  }

  drawPanel(group, panel) {
    const y = this.isYLog ? d3.scaleLog(this.domain, [this.plot_height, 0])
      : d3.scaleLinear(this.domain, [this.plot_height, 0]).nice();
    const mine = this.visible.filter((curve) => curve.panel === panel);
    if (panel !== "") addWords(group, panel, 8 - this.left, -29, this.ink, {size: 13}).attr("font-weight", 600);
    addWords(group, this.view.y, 8 - this.left, -12, this.ink, {isQuiet: true});
    this.drawAxes(group, y);
    this.drawMarks(group, panel);
    this.drawBound(group, mine, y);
    const grey = mine.filter((curve) => this.looks.get(curve.name).isGrey);
    const lit = mine.filter((curve) => !this.looks.get(curve.name).isGrey);
    for (const curve of [...grey, ...lit]) this.drawCurve(group, curve, y, mine);
    if (this.hasLabels) this.drawLabels(group, mine, y);
  }

  drawAxes(group, y) {
    const line = (x1, y1, x2, y2) => group.append("line").attr("x1", x1).attr("y1", y1).attr("x2", x2)
      .attr("y2", y2).attr("stroke", this.ink.line);
    let free = Infinity;
    const ticks = y.ticks(this.isYLog ? 6 : Math.max(3, this.plot_height / 50));
    const strong = this.isYLog && ticks.length > 9
      ? ticks.filter((value) => /^[1]/.test(value.toExponential()) ) : ticks;
    for (const value of strong.length > 1 ? strong : ticks) {
      const at = y(value);
      if (at > free) continue;
      free = at - 15;
      line(0, at, this.room, at);
      const words = Math.abs(value) >= 1e6 ? d3.format(".4~s")(value) : inWords(value);
      addWords(group, words, -6, at + 4, this.ink, {anchor: "end", isQuiet: true});
    }
    line(0, this.plot_height, this.room, this.plot_height);
    for (const [x, words] of this.ticks) {
      const at = this.x(x);
      line(at, this.plot_height, at, this.plot_height + 5);
      // The last one stays within the picture.
      const middle = this.tilts ? at : Math.min(at, this.room + this.right - 3.5 * words.length - 2);
      const text = addWords(group, words, middle, this.plot_height + 18, this.ink,
                            {anchor: this.tilts ? "end" : "middle", isQuiet: true});
      if (this.tilts) text.attr("transform", "rotate(-28," + at + "," + (this.plot_height + 18) + ")");
    }
    addWords(group, this.axis.label, this.room / 2, this.plot_height + this.bottom - 8, this.ink,
             {anchor: "middle"});
  }

  // Where the best curve changes.
  drawMarks(group, panel) {
    let free = -Infinity;
    for (const change of this.changes.filter((one) => one.panel === panel)) {
      const at = this.x(change.x);
      const mark = group.append("g").attr("class", "change");
      mark.append("line").attr("x1", at).attr("x2", at).attr("y1", 0).attr("y2", this.plot_height)
        .attr("stroke", this.ink.quiet).attr("stroke-dasharray", "2 4").attr("stroke-width", 1.3);
      mark.append("title").text(change.words);
      const words = (change.isExact ? "" : "~ ") + this.axis.format(change.x), end = at + 8 + 6.5 * words.length;
      if (at < free || end > this.room) continue;
      addWords(mark, words, at + 4, 11, this.ink, {size: 11, isQuiet: true});
      free = end;
    }
  }

  drawBound(group, mine, y) {
    const least = new Map();
    for (const point of mine.flatMap((curve) => curve.points)) {
      if (point.bound === null || point.bound === undefined) continue;
      const known = least.get(point.at);
      least.set(point.at, known === undefined ? point.bound : Math.min(known, point.bound));
    }
    if (least.size === 0) return;
    const points = [...least].map(([at, bound]) => [this.x(this.axis.places.get(at)), y(bound)])
      .sort((a, b) => a[0] - b[0]);
    const isLine = this.axis.areNumbers && points.length > 1;
    const shape = isLine ? d3.line()(points) : points.map(([x, at]) => "M" + (x - 14) + "," + at + "h28").join("");
    group.append("path").attr("class", "bound").attr("d", shape).attr("fill", "none")
      .attr("stroke", this.ink.text).attr("stroke-width", 1.5).attr("stroke-dasharray", "6 4")
      .append("title").text("lower bound of any schedule");
    this.bound_end = points[points.length - 1];
  }

  // Over names, the points of the curves stand beside each other.
  at(point, curve, mine) {
    const place = this.axis.places.get(point.at);
    if (this.axis.areNumbers) return this.x(place);
    const names = [...new Set(mine.map((one) => one.name))];
    return this.x(place + .7 * (names.indexOf(curve.name) - (names.length - 1) / 2) / Math.max(names.length, 4));
  }

  drawCurve(group, curve, y, mine) {
    const look = this.looks.get(curve.name), ink = inkOfLook(look, this.ink);
    const bottom = y.domain()[0], top = y.domain()[1];
    const on = (value) => y(Math.max(bottom, Math.min(top, value)));
    const points = [...curve.points].sort((a, b) =>
      this.axis.places.get(a.at) - this.axis.places.get(b.at));
    const x = (point) => this.at(point, curve, mine);
    const part = group.append("g").attr("class", "curve").attr("data-name", curve.name);
    if (this.axis.areNumbers && points.length > 1) {
      if (!look.isGrey && points.some((point) => point.half > 0)) {
        part.append("path").attr("class", "band").attr("d", d3.area().x(x)
          .y0((point) => on(point.mean - point.half)).y1((point) => on(point.mean + point.half))(points))
          .attr("fill", ink).attr("fill-opacity", .2);
      }
      part.append("path").attr("d", d3.line().x(x).y((point) => on(point.mean))(points))
        .attr("fill", "none").attr("stroke", ink).attr("stroke-width", look.isGrey ? 1 : 2)
        .attr("stroke-dasharray", look.dash);
    } else if (!look.isGrey) {
      part.selectAll(null).data(points.filter((point) => point.half > 0)).join("path").attr("class", "band")
        .attr("d", (point) => "M" + x(point) + "," + on(point.mean - point.half) + "V" +
          on(point.mean + point.half)).attr("stroke", ink).attr("stroke-width", 1.5);
    }
    part.selectAll(null).data(points).join("path").attr("d", look.mark)
      .attr("transform", (point) => "translate(" + x(point) + "," + on(point.mean) + ")")
      .attr("fill", (point) => point.hollow ? this.ink.ground : ink).attr("stroke", ink)
      .append("title").text((point) => this.tell(curve, point));
  }

  tell(curve, point) {
    return [curve.panel, curve.name, this.view.x + " " + this.axis.words(point.at) + ": " + inWords(point.mean) +
      (point.half > 0 ? " \u00b1 " + inWords(point.half) : "") +
      (point.runs.length > 1 ? ", " + point.runs.length + " runs" : "") + (point.hollow ? ", saturated" : ""),
            point.choice === "" ? "" : "best: " + point.choice].filter((line) => line !== "").join("\n");
  }

  // At the ends of the curves, pushed apart.
  drawLabels(group, mine, y) {
    const labels = mine.filter((curve) => curve.points.length > 0).map((curve) => {
      const last = curve.points.reduce((a, b) =>
        this.axis.places.get(b.at) > this.axis.places.get(a.at) ? b : a);
      const at = Math.max(0, Math.min(this.plot_height, y(last.mean)));
      return {words: curve.name, x: this.x(this.axis.places.get(last.at)), at, y: at,
              ink: inkOfLook(this.looks.get(curve.name), this.ink)};
    });
    if (this.bound_end) {
      labels.push({words: "lower bound", x: this.bound_end[0], at: this.bound_end[1], y: this.bound_end[1],
                   ink: this.ink.text});
    }
    labels.sort((a, b) => a.y - b.y);
    for (let i = 1; i < labels.length; ++i) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + 15);
    let low = this.plot_height + 10;
    for (let i = labels.length - 1; i >= 0; --i) {
      labels[i].y = Math.min(labels[i].y, low);
      low = labels[i].y - 15;
    }
    for (const one of labels) {
      group.append("path").attr("d", "M" + (one.x + 6) + "," + one.at + "L" + (this.room + 12) + "," + one.y)
        .attr("stroke", one.ink).attr("stroke-width", .8).attr("fill", "none");
      addWords(group, one.words, this.room + 16, one.y + 4, this.ink);
    }
  }

  drawLegend(svg, top) {
    let at = top;
    const entry = (words, draw) => {
      draw(svg.append("g").attr("transform", "translate(" + this.left + "," + at + ")"));
      addWords(svg, words, this.left + 44, at + 10, this.ink);
      at += 20;
    };
    for (const name of this.names) entry(name, (group) => drawSample(group, this.looks.get(name), this.ink));
    if (this.bound_end) {
      entry("lower bound of any schedule", (group) => group.append("path").attr("d", "M0,6H34")
        .attr("stroke", this.ink.text).attr("stroke-width", 1.5).attr("stroke-dasharray", "6 4"));
    }
  }
}

/// A piece of a curve, 34 pixels wide and 12 high.
function drawSample(group, look, ink) {
  const lit = inkOfLook(look, ink);
  group.append("path").attr("d", "M0,6H34").attr("stroke", lit).attr("stroke-width", look.isGrey ? 1 : 2)
    .attr("stroke-dasharray", look.dash).attr("fill", "none");
  group.append("path").attr("d", look.mark).attr("transform", "translate(17,6)").attr("fill", lit);
}
