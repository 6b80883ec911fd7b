// The results of many points: any column over any option, with one choice of what each option is in
// the picture. The view is in the address, and a table says who is the best where.

/// Where the best curve changes between neighbours on an axis of numbers: {panel, x, words, isExact}.
function changesOf(winners, shown, picture) {
  const {view, axis} = shown;
  if (!axis.areNumbers) return [];
  const isComparison = data.crossovers.length > 0 && view.x === "bytes" && view.y === "max" &&
    view.of("colour").join() === "algorithm" && view.of("panel").length === 0;
  if (isComparison) {
    return data.crossovers.map((one) => ({
      panel: "", x: (one.below + one.above) / 2, isExact: true,
      words: "up to " + number(one.below) + " bytes " + one.shorter + " is the fastest, from " +
        number(one.above) + " bytes on " + one.longer,
    }));
  }
  const changes = [];
  winners.forEach((one, i) => {
    const next = winners[i + 1];
    if (!next || next.panel !== one.panel || next.best.name === one.best.name) return;
    const mean = (name, at) => {
      const curve = shown.curves.find((other) => other.panel === one.panel && other.name === name);
      const point = curve.points.find((other) => other.at === at);
      return point ? point.mean : NaN;
    };
    const scaled = picture.isYLog ? Math.log : (value) => value;
    const gap = (at) => scaled(mean(next.best.name, at)) - scaled(mean(one.best.name, at));
    const before = gap(one.at), after = gap(next.at);
    const share = before === after || Number.isNaN(before - after) ? .5 : before / (before - after);
    const [from, to] = [picture.x(one.x), picture.x(next.x)];
    changes.push({panel: one.panel, x: picture.x.invert(from + share * (to - from)), isExact: false,
                  words: one.best.name + " at " + axis.words(one.at) + ", " + next.best.name + " at " +
                    axis.words(next.at)});
  });
  return changes;
}

class Curves {
  constructor(figure) {
    this.figure = figure;
    this.view = new PlotView();
    this.answer = add(figure, "p", "", {class: "answer", "aria-live": "polite"});
    this.controls = add(figure, "div", "", {class: "controls"});
    this.place = add(figure, "div", "", {class: "plot"});
    this.legend = add(figure, "div", "", {class: "legend"});
    this.note = add(figure, "p", "", {class: "note", "aria-live": "polite"});
    const take = add(figure, "div", "", {class: "controls take"});
    addTakeAlong(take, "plot", () => this.picture(1100, inkOf(true), true).draw(), () => this.title());
    this.table = add(figure, "div", "", {class: "table", tabindex: "0"});
    this.csv = add(figure, "div", "", {class: "controls take"});
    addButton(this.csv, "CSV", () => saveFile(fileName("winners", "csv"), "text/csv",
                                             [tableAsCsv(this.table.firstChild)]),
              "save the table of the best as CSV");
    tellProblems(this.view.use(pageAddress.read()));
    this.draw();
    pageAddress.heed(() => {
      this.view = new PlotView();
      tellProblems(this.view.use(pageAddress.read()));
      this.draw();
    });
    matchMedia("(prefers-color-scheme: dark)").addListener(() => this.drawPicture());
    let width = figure.clientWidth;
    addEventListener("resize", () => {
      if (figure.clientWidth === width) return;
      width = figure.clientWidth;
      this.drawPicture();
    });
  }

  // After each choice on the page.
  changed() {
    pageAddress.write(this.view.pairs());
    tellProblems([]);
    this.draw();
  }

  draw() {
    const points = pointsOf(this.view);
    const axis = axisOf(this.view.x, this.view.values.get(this.view.x));
    const visible = {...points, curves: points.curves.filter((curve) => !this.view.hidden.has(curve.name))};
    const winners = winnersOf(visible, axis);
    this.shown = {view: this.view, axis, curves: points.curves, winners, changes: [],
                  looks: looksOf(points.curves, winnersOf(points, axis)),
                  sentences: winnerSentences(winners, this.view, axis), title: ""};
    this.shown.title = this.title();
    this.shown.changes = changesOf(winners, this.shown, this.picture(1100, inkOf(true), true));
    this.answer.textContent = this.shown.sentences.join(" ");
    this.drawControls();
    this.drawPicture();
    this.tell(points);
    this.drawTable(winners);
  }

  title() {
    const parts = [this.view.y + " over " + this.view.x];
    const best = this.view.of("best");
    if (best.length > 0) parts.push("each point the best of " + best.join(", "));
    for (const key of this.view.of("fixed")) parts.push("only " + key + " " + valueInWords(key, this.view.fixed[key]));
    return parts.join("; ");
  }

  picture(width, ink, isPaper) { return new PlotPicture(this.shown, width, ink, isPaper); }

  drawPicture() {
    const ink = inkOf(false);
    this.place.textContent = "";
    this.place.appendChild(this.picture(Math.max(280, this.place.clientWidth), ink, false).draw());
    this.drawLegend(ink);
  }

  drawControls() {
    const {view} = this;
    const focused = document.activeElement && document.activeElement.dataset.name;
    this.controls.textContent = "";
    const choice = (name, words, options, value, change) => {
      const select = addChoice(this.controls, words, options, (chosen) => {
        change(chosen);
        this.changed();
      });
      select.value = value;
      select.dataset.name = name;
    };
    choice("x", "x", data.keys.map((key) => [key, key]), view.x, (key) => view.setX(key));
    choice("y", "y", data.columns.map((name) => [name, name]), view.y, (name) => {
      view.y = name;
      view.more = null;
    });
    choice("best-is", "best is", [["least", "the least"], ["most", "the most"]],
           view.isMoreBetter() ? "most" : "least", (what) => { view.more = what === "most"; });
    for (const key of view.free()) {
      const values = view.values.get(key);
      const options = [["colour", "a curve for each"], ["panel", "a panel for each"], ["best", "the best"],
                       ...values.map((value, i) => ["only " + i, "only " + valueInWords(key, value)])];
      const role = view.roles.get(key);
      choice("role-" + key, key, options,
             role === "fixed" ? "only " + values.indexOf(view.fixed[key]) : role, (chosen) => {
               view.hidden.clear();
               if (chosen.startsWith("only ")) view.setRole(key, "fixed", values[chosen.slice(5)]);
               else view.setRole(key, chosen);
             });
    }
    const drawn = this.picture(600, inkOf(true), true);
    for (const axis of ["x", "y"]) {
      const box = addSwitch(this.controls, "logarithmic " + axis, axis === "x" ? drawn.isXLog : drawn.isYLog,
                            (is_on) => {
                              view.log[axis] = is_on;
                              this.changed();
                            });
      box.dataset.name = "log" + axis;
      box.disabled = axis === "x" && !this.shown.axis.canBeLog;
    }
    const again = [...this.controls.querySelectorAll("[data-name]")].find((one) => one.dataset.name === focused);
    if (again) again.focus();
  }

  drawLegend(ink) {
    const focused = document.activeElement && document.activeElement.dataset.curve;
    this.legend.textContent = "";
    const names = [...this.shown.looks.keys()];
    if (names.length < 2) return;
    for (const name of names) {
      const entry = add(this.legend, "label");
      const box = add(entry, "input", "", {type: "checkbox", "data-curve": name});
      box.checked = !this.view.hidden.has(name);
      box.addEventListener("change", () => {
        if (box.checked) this.view.hidden.delete(name); else this.view.hidden.add(name);
        this.changed();
      });
      drawSample(d3.select(entry).append("svg").attr("width", 34).attr("height", 12).append("g"),
                 this.shown.looks.get(name), ink);
      add(entry, "span", name);
      if (name === focused) box.focus();
    }
  }

  tell({missing, broken, curves}) {
    const points = curves.flatMap((curve) => curve.points);
    const words = [];
    if (points.some((point) => point.runs.length > 1)) {
      words.push("A band is the 95 % interval of the mean over seeds.");
    } else if (points.some((point) => point.half > 0)) {
      words.push("A band is the 95 % interval of the mean over the trials of a run.");
    }
    if (points.some((point) => point.hollow)) words.push("Hollow points are saturated.");
    if (points.some((point) => point.bound !== null && point.bound !== undefined)) {
      words.push("The dashed line is the lower bound of any schedule.");
    }
    if (this.shown.changes.length > 0) words.push("Dotted lines mark where the best curve changes.");
    if (broken > 0) words.push(counted(broken, "point") + " failed and " + (broken === 1 ? "is" : "are") + " left out.");
    if (missing > 0) words.push(counted(missing, "point") + " left out: no number here.");
    this.note.textContent = words.join(" ");
  }

  // Who is the best at each place, and by how much.
  drawTable(winners) {
    const {view, axis} = this.shown;
    const contested = winners.some((one) => one.next);
    this.table.textContent = "";
    this.table.hidden = this.csv.hidden = !contested;
    if (!contested) return;
    const hasPanels = view.of("panel").length > 0, hasBest = view.of("best").length > 0;
    const hasIntervals = winners.some((one) => one.half > 0);
    const heads = [...(hasPanels ? [view.of("panel")[0]] : []), view.x, "best", view.y,
                   ...(hasBest ? ["with"] : []), "next", "its " + view.y, "margin", "margin %",
                   ...(hasIntervals ? ["95 % interval", "larger than chance"] : [])];
    const table = add(this.table, "table", "", {id: "winners"});
    add(table, "caption", "The best at each place, and its margin to the next");
    const head = add(add(table, "thead"), "tr");
    for (const words of heads) add(head, "th", words, {scope: "col"});
    const body = add(table, "tbody");
    for (const one of winners) {
      const row = add(body, "tr");
      const cell = (value) => add(row, "td", typeof value === "number" ? String(+value.toPrecision(7)) : value,
                                  typeof value === "number" ? {class: "n"} : {});
      if (hasPanels) cell(one.panel.replace(view.of("panel")[0] + " ", ""));
      if (axis.areNumbers) cell(one.x); else cell(axis.words(one.at));
      cell(one.best.name);
      cell(one.best.point.mean);
      if (hasBest) cell(one.best.point.choice);
      cell(one.next ? one.next.name : "");
      cell(one.next ? one.next.point.mean : "");
      cell(one.next ? one.margin : "");
      cell(one.next ? +(100 * one.margin / Math.abs(one.next.point.mean || 1)).toPrecision(4) : "");
      if (!hasIntervals) continue;
      const isKnown = one.next && one.half !== null;
      cell(isKnown ? one.half : "");
      cell(!isKnown ? "" : one.margin > one.half ? "yes" : "no");
    }
    makeSortable(table);
  }
}

drawers.curves = (figure) => {
  return new Curves(figure);
};
