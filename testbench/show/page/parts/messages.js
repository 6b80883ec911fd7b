// The messages over time: a bar for each, in the row of its node, its cycles by cause.
class MessagesPicture {
  constructor(figure) {
    this.by = "source";
    this.only_path = false;
    this.with_arrows = true;
    this.number = -1;
    this.readMessages();
    this.addControls(figure);
    this.frame = add(figure, "div", "", {class: "frame"});
    this.canvas = add(this.frame, "canvas", "", {tabindex: 0, role: "application", id: "gantt",
      "aria-label": "messages over time; left and right choose one, + and - zoom"});
    this.details = add(figure, "div", "Choose a message: with a click, or with the left and right keys.",
                       {class: "details", "aria-live": "polite"});
    const seen = new Set(d3.merge(this.messages.map((one) => one.stretches.map((s) => s.cause))));
    addLegend(figure, data.trial.causes.filter((cause) => seen.has(cause)));
    this.pen = this.canvas.getContext("2d");
    this.patterns = canvasPatterns(this.pen);
    this.lay();
    this.addZoom();
    this.canvas.addEventListener("click", (event) => this.press(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    chosen.listeners.push(() => this.draw());
    window.addEventListener("resize", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.draw();
  }

  readMessages() {
    const path = new Set((data.path_is_shown ? data.run.explanation.path : [])
      .map((one) => one.source + ">" + one.destination + "#" + one.order));
    const order = (name) => name.slice(name.lastIndexOf("#"));
    this.messages = data.trial.messages.map(([name, source, receiver, created, after, stretches]) => {
      let first = created;
      const list = stretches.map(([cause, cycles, line, blamed]) => {
        const one = {cause: data.trial.causes[cause], first, cycles, line, blamed};
        first += cycles;
        return one;
      });
      const words = data.trial.names[name];
      return {words, source, receiver, created, has: first, after, stretches: list,
              is_on_path: path.has(source + ">" + receiver + order(words))};
    });
  }

  addControls(figure) {
    const controls = add(figure, "div", "", {class: "controls"});
    addChoice(controls, "a row for each", [["source", "sender"], ["receiver", "receiver"]],
              (by) => { this.by = by; this.lay(); this.draw(); });
    if (this.messages.some((one) => one.is_on_path)) {
      addSwitch(controls, "the critical path only", false,
                (is_on) => { this.only_path = is_on; this.lay(); this.draw(); });
    }
    if (this.messages.some((one) => one.after >= 0)) {
      addSwitch(controls, "arrows from what a message depends on", true,
                (is_on) => { this.with_arrows = is_on; this.draw(); });
    }
    addButton(controls, "+", () => this.zoomBy(1.6), "zoom in");
    addButton(controls, "-", () => this.zoomBy(1 / 1.6), "zoom out");
    addButton(controls, "fit", () => d3.select(this.canvas).call(this.zoom.transform, d3.zoomIdentity));
  }

  // Messages of one node that overlap stand below one another.
  lay() {
    const shown = this.messages.filter((one) => !this.only_path || one.is_on_path);
    this.rows = [];
    let lanes_before = 0;
    const groups = new Map();
    for (const one of shown) {
      if (!groups.has(one[this.by])) groups.set(one[this.by], []);
      groups.get(one[this.by]).push(one);
    }
    for (const node of [...groups.keys()].sort(d3.ascending)) {
      const ends = [];
      for (const one of groups.get(node).sort((a, b) => a.created - b.created)) {
        let lane = ends.findIndex((end) => end <= one.created);
        if (lane < 0) lane = ends.length;
        ends[lane] = one.has;
        one.lane = lanes_before + lane;
      }
      this.rows.push({node, first: lanes_before, lanes: ends.length});
      lanes_before += ends.length;
    }
    this.shown = shown.sort((a, b) => a.created - b.created || a.lane - b.lane);
    this.lanes = lanes_before;
    this.lane_height = Math.max(3, Math.min(18, 640 / Math.max(1, this.lanes)));
    this.height = Math.min(700, this.lanes * this.lane_height + 34);
  }

  addZoom() {
    this.zoom = d3.zoom().scaleExtent([1, 5000]).on("zoom", () => this.draw());
    d3.select(this.canvas).call(this.zoom).on("dblclick.zoom", null);
  }

  zoomBy(factor) { d3.select(this.canvas).call(this.zoom.scaleBy, factor); }

  setScales() {
    this.width = Math.max(320, this.frame.clientWidth - 2);
    const dots = window.devicePixelRatio || 1;
    this.canvas.width = this.width * dots;
    this.canvas.height = this.height * dots;
    this.canvas.style.width = this.width + "px";
    this.canvas.style.height = this.height + "px";
    this.pen.setTransform(dots, 0, 0, dots, 0, 0);
    const view = d3.zoomTransform(this.canvas);
    const fit = d3.scaleLinear([d3.min(this.shown, (one) => one.created) || 0,
                                d3.max(this.shown, (one) => one.has) || 1], [70, this.width - 10]);
    this.x = view.rescaleX(fit);
    const tall = this.lanes * this.lane_height;
    const most = Math.max(0, tall - (this.height - 34));
    const down = Math.max(-most, Math.min(0, view.y / view.k));
    this.y = (lane) => 24 + lane * this.lane_height + down;
  }

  draw() {
    this.setScales();
    const {pen} = this;
    pen.fillStyle = colour("ground");
    pen.fillRect(0, 0, this.width, this.height);
    this.drawStretch();
    pen.save();
    pen.beginPath();
    pen.rect(66, 20, this.width - 66, this.height);
    pen.clip();
    for (const one of this.shown) this.drawMessage(one);
    if (this.with_arrows) this.drawArrows();
    pen.restore();
    this.drawAxes();
  }

  drawStretch() {
    if (chosen.when < 0) return;
    const {from, cycles} = data.trial.stretches[chosen.when];
    this.pen.fillStyle = colour("soft");
    this.pen.fillRect(this.x(from), 20, Math.max(2, this.x(from + cycles) - this.x(from)), this.height);
  }

  drawMessage(one) {
    const {pen} = this;
    const y = this.y(one.lane);
    const high = Math.max(1.5, this.lane_height - 1.5);
    if (y + high < 20 || y > this.height) return;
    for (const stretch of one.stretches) {
      const left = this.x(stretch.first);
      const wide = this.x(stretch.first + stretch.cycles) - left;
      if (left + wide < 66 || left > this.width) continue;
      const moves = ["hop", "length", "ts", "tr"].includes(stretch.cause);
      pen.fillStyle = wide < 3 ? causeLooks[stretch.cause][0] : this.patterns[stretch.cause];
      const thin = moves ? high : high * .8;
      pen.fillRect(left, y + (high - thin) / 2, Math.max(.6, wide), thin);
    }
    const is_chosen = this.messages[this.number] === one;
    if (!one.is_on_path && !is_chosen) return;
    pen.strokeStyle = colour(is_chosen ? "text" : "lit");
    pen.lineWidth = is_chosen ? 2.5 : 1.8;
    pen.strokeRect(this.x(one.created), y - .5, this.x(one.has) - this.x(one.created), high + 1);
  }

  drawArrows() {
    const {pen} = this;
    const shown = new Set(this.shown);
    for (const one of this.shown) {
      const before = this.messages[one.after];
      if (before === undefined || !shown.has(before)) continue;
      const is_lit = one.is_on_path && before.is_on_path;
      const x0 = this.x(before.has), y0 = this.y(before.lane) + this.lane_height / 2;
      const x1 = this.x(one.created), y1 = this.y(one.lane) + this.lane_height / 2;
      pen.strokeStyle = colour(is_lit ? "lit" : "quiet");
      pen.globalAlpha = is_lit ? 1 : .35;
      pen.lineWidth = is_lit ? 1.8 : 1;
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.bezierCurveTo(x0 + 8, y0, x1 - 8, y1, x1, y1);
      pen.lineTo(x1 - 4, y1 - 3);
      pen.moveTo(x1, y1);
      pen.lineTo(x1 - 4, y1 + 3);
      pen.stroke();
      pen.globalAlpha = 1;
    }
  }

  drawAxes() {
    const {pen} = this;
    pen.fillStyle = colour("ground");
    pen.fillRect(0, 0, this.width, 20);
    pen.fillRect(0, 0, 66, this.height);
    pen.fillStyle = colour("quiet");
    pen.font = "11px sans-serif";
    pen.textAlign = "center";
    for (const tick of this.x.ticks(10)) pen.fillText(number(tick), this.x(tick), 14);
    pen.textAlign = "left";
    pen.fillText("cycle", 4, 14);
    pen.textAlign = "right";
    let last = -Infinity;
    for (const row of this.rows) {
      const y = this.y(row.first) + Math.max(9, row.lanes * this.lane_height / 2 + 4);
      if (y - last < 11 || y < 28 || y > this.height) continue;
      pen.fillText(row.node < 0 ? "nobody" : "node " + this.nodeName(row.node), 60, y);
      last = y;
    }
  }

  nodeName(node) { return data.trial.node_names[node] || node; }

  press(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const found = this.shown.find((one) => this.y(one.lane) <= y &&
      y < this.y(one.lane) + this.lane_height && this.x(one.created) <= x && x <= this.x(one.has));
    if (found) this.choose(found, this.x.invert(x));
  }

  key(event) {
    if (event.key === "+") this.zoomBy(1.6);
    if (event.key === "-") this.zoomBy(1 / 1.6);
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step === undefined || this.shown.length === 0) return;
    event.preventDefault();
    const at = this.shown.indexOf(this.messages[this.number]);
    this.choose(this.shown[Math.max(0, Math.min(this.shown.length - 1, at + step))]);
  }

  choose(one) {
    this.number = this.messages.indexOf(one);
    const end = one.receiver < 0 ? ", not received" : " to node " + this.nodeName(one.receiver);
    let words = one.words + end + ": " + counted(one.has - one.created, "cycle") +
      ", from cycle " + one.created + " to " + one.has + (one.is_on_path ? ", on the critical path" : "");
    const before = this.messages[one.after];
    if (before) words += "\n  after " + before.words;
    for (const stretch of one.stretches) {
      words += "\n  from " + stretch.first + "  " + stretch.cause + " " + stretch.cycles +
        (stretch.line < 0 ? "" : "  at " + fabricWords.words(stretch.line)) +
        (stretch.blamed < 0 ? "" : ", because of " + data.trial.names[stretch.blamed]);
    }
    this.details.textContent = words;
    this.draw();
  }
}

let messagesPicture = null;
drawers.messages = (figure) => { messagesPicture = new MessagesPicture(figure); };
