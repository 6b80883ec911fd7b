// The messages over time, in rows of their senders or receivers: all together as densities by cause,
// and one by one where there is room. What is not drawn one by one is grey, never empty.
const messageList = (() => {
  if (!data.trial) return [];
  const {messages, message_stretches: parts, names} = data.trial;
  const path = new Set((data.path_is_shown ? data.run.explanation.path : [])
    .map((one) => one.source + ">" + one.destination + "#" + one.order));
  const copies = new Map();
  for (let i = 0; i < messages.rows; ++i) {
    copies.set(messages.name[i], (copies.get(messages.name[i]) || 0) + 1);
  }
  const list = [];
  let begin = 0;
  for (let i = 0; i < messages.rows; ++i) {
    const end = begin + messages.stretches[i];
    const words = names[messages.name[i]];
    const receiver = messages.receiver[i];
    let cycles = 0;
    const lines = new Set();
    for (let part = begin; part < end; ++part) {
      cycles += parts.cycles[part];
      if (parts.line[part] >= 0) lines.add(parts.line[part]);
    }
    const created = messages.created[i];
    const toward = messages.toward[i];
    list.push({number: i, words, source: messages.source[i], receiver, created, has: created + cycles,
               after: messages.after[i], begin, end, lines, toward,
               address: words + (copies.get(messages.name[i]) > 1 ? "@" + endOf(receiver, toward) : ""),
               is_on_path: path.has(messages.source[i] + ">" + receiver +
                                    words.slice(words.lastIndexOf("#")))});
    begin = end;
  }
  return list;
})();

/// The receiver, or of a branch under way where it goes: a node, or a channel.
function endOf(receiver, toward) {
  if (receiver >= 0 || toward < 0) return receiver;
  const {lines, nodes} = data.trial.fabric;
  return toward < lines.length ? channelAddress(toward) : nodes[cellOfLine(toward)];
}

/// The messages by their addresses, and by source, receiver and order, as the critical path has them.
function messageNumbers() {
  if (!messageNumbers.known) {
    const order = (one) => one.words.slice(one.words.lastIndexOf("#"));
    messageNumbers.known = new Map([
      ...[...messageList].reverse().map((one) => [one.words, one.number]),  // the first of its branches
      ...messageList.map((one) => [nodeName(one.source) + ">" + nodeName(one.receiver) + order(one), one.number]),
      ...messageList.map((one) => [one.address, one.number])]);
  }
  return messageNumbers.known;
}

function nodeName(node) { return data.trial.node_names[node] || node; }

function messageInWords(one) {
  const {message_stretches: parts, causes} = data.trial;
  const end = one.receiver < 0 ? notReceived(one) : " to node " + nodeName(one.receiver);
  let words = "message " + one.words + end + ": " + counted(one.has - one.created, "cycle") +
    ", from cycle " + number(one.created) + " to " + number(one.has) +
    (one.is_on_path ? ", on the critical path" : "");
  if (one.after >= 0) words += ", after " + messageList[one.after].words;
  words += sumsInWords(one);
  let first = one.created;
  for (let part = one.begin; part < one.end; ++part) {
    words += "\n  from " + number(first) + "  " + causes[parts.cause[part]] + " " +
      number(parts.cycles[part]) +
      (parts.line[part] < 0 ? "" : "  at " + fabricWords.place(parts.line[part], parts.port[part])) +
      (parts.blamed[part] < 0 ? "" : ", because of " + data.trial.names[parts.blamed[part]]);
    first += parts.cycles[part];
  }
  return words + (one.receiver < 0 ? stopOfMessage(one.words) : "");
}

/// `In all port 111, length 15; because of 46>2#68 64, ..`: cycles by cause, and by who is to blame.
function sumsInWords(one) {
  const {message_stretches: parts, causes, names} = data.trial;
  const by_cause = new Map(), by_blamed = new Map();
  for (let part = one.begin; part < one.end; ++part) {
    const put = (sums, key) => sums.set(key, (sums.get(key) || 0) + parts.cycles[part]);
    put(by_cause, causes[parts.cause[part]]);
    if (parts.blamed[part] >= 0) put(by_blamed, names[parts.blamed[part]]);
  }
  const list = (sums) => [...sums].sort((a, b) => b[1] - a[1]);
  const most = 5;
  const blamed = list(by_blamed);
  return "\n  in all " + list(by_cause).map(([cause, cycles]) => cause + " " + number(cycles)).join(", ") +
    (blamed.length === 0 ? "" : "; because of " + blamed.slice(0, most).map(([name, cycles]) =>
      name + " " + number(cycles)).join(", ") + (blamed.length > most ? " and " + (blamed.length - most) + " more" : ""));
}

/// `, its branch toward channel 5 -> 4 (dimension 0), not received`
function notReceived(one) {
  return (one.toward < 0 || !one.address.includes("@") ? "" : ", its branch toward " + fabricWords.words(one.toward)) +
    ", not received";
}

/// `5>9#0: 922 cycles, 530 of them port at injection of node 5 (+x)`: most cycles of one cause and place.
function slowInWords(one) {
  const {message_stretches: parts, causes} = data.trial;
  const sums = new Map();
  let most = -1;
  for (let part = one.begin; part < one.end; ++part) {
    const words = causes[parts.cause[part]] + (parts.line[part] < 0 ? ""
      : " at " + fabricWords.place(parts.line[part], parts.port[part]));
    sums.set(words, (sums.get(words) || 0) + parts.cycles[part]);
    if (most < 0 || sums.get(words) > sums.get(most)) most = words;
  }
  const end = one.receiver < 0 ? notReceived(one)
    : one.words.includes(">" + nodeName(one.receiver) + "#") ? "" : " to node " + nodeName(one.receiver);
  return one.words + end + ": " + counted(one.has - one.created, "cycle") + ", " + number(sums.get(most)) +
    " of them " + most;
}

/// Rows of at most 64 blocks of cells, and the cell of each node whose messages are drawn.
const messageRows = (() => {
  if (!data.trial) return null;
  const {nodes, sides, factors} = data.trial.fabric;
  const per = Math.ceil(nodes.length / 64);
  const is_folded = factors.some((factor) => factor > 1);
  const places = new Map(nodes.map((node, cell) => [node, cell]));
  // Of a block its nodes lie between the first ones of cells; of most fabrics by their coordinates.
  const cellOf = (node) => {
    if (!is_folded) return places.get(node);
    if (data.trial.fabric.names) return Math.floor(node / factors[0]);
    const all = data.trial.fabric.all_sides;
    let rest = node, stride = 1, cell = 0;
    sides.forEach((side, dimension) => {
      cell += Math.floor(rest % all[dimension] / factors[dimension]) * stride;
      rest = Math.floor(rest / all[dimension]);
      stride *= side;
    });
    return cell;
  };
  return {per, count: Math.ceil(nodes.length / per),
          of: (node) => node < 0 ? -1 : Math.floor(cellOf(node) / per),
          words: (row) => (per > 1 || is_folded ? "from " : "") + (row < 0 ? "nobody"
            : (per > 1 || is_folded ? "" : "node ") + fabricWords.name(row * per))};
})();

class MessagesPicture {
  constructor(figure) {
    const shows = [["auto", "one by one where there is room"], ["density", "all, as densities"],
                   ["single", "one by one"]];
    if (messageList.some((one) => one.is_on_path)) shows.push(["path", "the critical path"]);
    offer("show", shows);
    offer("rows", [["sender", "sender"], ["receiver", "receiver"]]);
    const controls = add(figure, "div", "", {class: "controls"});
    this.choices = {rows: addChoice(controls, "a row for each",
                                    [["sender", "sender"], ["receiver", "receiver"]],
                                    (word) => setView({rows: word})),
                    show: addChoice(controls, "messages", shows, (word) => setView({show: word}))};
    addButton(controls, "+", () => timePicture.stretch(.5), "zoom in");
    addButton(controls, "-", () => timePicture.stretch(2), "zoom out");
    this.words = add(figure, "p", "", {class: "quiet"});
    this.frame = add(figure, "div", "", {class: "frame"});
    this.canvas = add(this.frame, "canvas", "", {tabindex: 0, role: "application", id: "gantt",
      "aria-label": "messages over time; left and right choose one, + and - zoom, Escape chooses none"});
    addCanvasTakeAlong(controls, this.canvas, "messages");
    this.legend = add(figure, "div");
    this.slowest = add(figure, "div", "", {class: "slowest"});
    this.pen = this.canvas.getContext("2d");
    this.patterns = canvasPatterns(this.pen);
    this.canvas.addEventListener("click", (event) => this.press(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    view.listeners.push(() => this.draw());
    window.addEventListener("resize", () => this.draw());
    dark.addEventListener("change", () => this.draw());
    for (const [event, is_printed] of [["beforeprint", true], ["afterprint", false]]) {
      window.addEventListener(event, () => {
        this.is_printed = is_printed;
        this.draw();
      });
    }
  }

  draw() {
    for (const [key, select] of Object.entries(this.choices)) select.value = view[key];
    this.range = stretchesOf(view.time);
    [this.from, this.to] = view.time || [0, runCycles - 1];
    this.gather();
    this.lay();
    this.setScales();
    const {pen} = this;
    pen.fillStyle = colour("ground");
    pen.fillRect(0, 0, this.width, this.height);
    this.drawBars();
    pen.save();
    pen.beginPath();
    pen.rect(this.left, 20, this.width - this.left, this.height);
    pen.clip();
    if (this.is_single) {
      this.drawOthers();
      for (const one of this.shown) this.drawMessage(one);
      this.drawArrows();
      this.nameMessages();
    } else {
      this.drawDensities();
    }
    pen.restore();
    this.drawAxes();
    this.tell();
  }

  // The cycles of all messages, by stretch, row and cause, and by row and cause.
  gather() {
    const table = data.trial[view.rows === "sender" ? "sent" : "received"];
    const name = view.rows === "sender" ? "sent" : "received";
    const [first, last] = this.range;
    this.work = [];
    this.sums = d3.range(messageRows.count).map(() => new Map());
    for (let stretch = first; stretch <= last; ++stretch) {
      const rows = this.sums.map(() => new Map());
      const [begin, end] = rowsOf(name, stretch, stretch);
      for (let at = begin; at < end; ++at) {
        const row = Math.floor(table.cell[at] / messageRows.per);
        const cause = table.cause[at];
        for (const of of [rows[row], this.sums[row]]) {
          of.set(cause, (of.get(cause) || 0) + table.cycles[at]);
        }
      }
      this.work.push(rows);
    }
  }

  rowOf(one) { return messageRows.of(view.rows === "sender" ? one.source : one.receiver); }

  // Messages of one row that overlap stand below one another.
  lay() {
    const is_path = view.show === "path";
    this.shown = messageList.filter((one) => one.created <= this.to && one.has > this.from &&
      (!is_path || one.is_on_path)).sort((a, b) => a.created - b.created);
    const ends = new Map();
    for (const one of this.shown) {
      const row = this.rowOf(one);
      if (!ends.has(row)) ends.set(row, []);
      const of = ends.get(row);
      let lane = of.findIndex((end) => end <= one.created);
      if (lane < 0) lane = of.length;
      of[lane] = one.has;
      one.row = row;
      one.lane = lane;
    }
    const lanes = d3.sum([...ends.values()], (of) => of.length);
    // On paper one by one only where rows are few.
    this.is_single = lanes <= 3000 && (is_path || !this.is_printed || messageRows.count <= 32) &&
      (is_path || view.show === "single" || (view.show === "auto" && lanes <= 260));
    this.findOthers(is_path);
    this.rows = [];
    let y = 24;
    const most = this.is_printed ? 340 : 640;
    const each = Math.max(this.is_printed ? .5 : 3, Math.min(18, most / Math.max(1, lanes)));
    const dense = Math.max(this.is_printed ? 1 : 7, Math.min(30, most / messageRows.count));
    for (let row = -1; row < messageRows.count; ++row) {
      const of = ends.get(row) ? ends.get(row).length : 0;
      const sum = row < 0 ? 0 : totalOf(this.sums[row]);
      if (this.is_single ? of === 0 && !(sum > 0 && !is_path) : row < 0) continue;
      const has_others = this.is_single && row >= 0 && this.others[row].some((cycles) => cycles > 0);
      const high = this.is_single ? of * each + (has_others ? 8 : 0) : dense;
      this.rows.push({row, y, high, others: has_others ? 8 : 0});
      y += Math.max(high, 3);
    }
    this.lane_height = each;
    this.height = y + 6;
  }

  // By row and stretch, the cycles of messages that are not drawn one by one.
  findOthers(is_path) {
    const [first, last] = this.range;
    const listed = this.sums.map(() => new Float64Array(last - first + 1));
    const {from, cycles} = data.trial.stretches;
    for (const one of messageList) {
      const row = this.rowOf(one);
      if (row < 0) continue;
      for (let i = first; i <= last; ++i) {
        const overlap = Math.min(one.has, from[i] + cycles[i]) - Math.max(one.created, from[i]);
        if (overlap > 0) listed[row][i - first] += overlap;
      }
    }
    this.others = listed.map((of, row) => Array.from(of, (cycles, i) =>
      is_path ? 0 : totalOf(this.work[i][row]) - cycles));
  }

  setScales() {
    this.width = Math.max(300, this.frame.clientWidth - 2);
    this.bars = this.width > 700 ? 150 : 50;
    this.left = 74 + this.bars;
    const dots = window.devicePixelRatio || 1;
    this.canvas.width = this.width * dots;
    this.canvas.height = this.height * dots;
    this.canvas.style.width = this.width + "px";
    this.canvas.style.height = this.height + "px";
    this.pen.setTransform(dots, 0, 0, dots, 0, 0);
    this.x = d3.scaleLinear([this.from, this.to + 1], [this.left, this.width - 8]);
  }

  fill(cause, wide) {
    const name = data.trial.causes[cause];
    this.pen.fillStyle = wide < 3 ? causeLooks[name][0] : this.patterns[name];
  }

  // Left of the time: the cycles of each row by cause.
  drawBars() {
    const most = d3.max(this.sums, totalOf) || 1;
    for (const {row, y, high} of this.rows) {
      if (row < 0) continue;
      let x = 70;
      for (const [cause, cycles] of [...this.sums[row]].sort((a, b) => a[0] - b[0])) {
        const wide = (this.bars - 6) * cycles / most;
        this.fill(cause, wide);
        this.pen.fillRect(x, y + 1, wide, Math.max(1, Math.min(high, 16) - 2));
        x += wide;
      }
    }
  }

  drawDensities() {
    const {from, cycles} = data.trial.stretches;
    const [first] = this.range;
    let most = 0;
    this.work.forEach((rows, i) => {
      for (const of of rows) most = Math.max(most, totalOf(of) / cycles[first + i]);
    });
    this.most = most;
    for (const {row, y, high} of this.rows) {
      this.work.forEach((rows, i) => {
        const left = this.x(from[first + i]);
        const wide = Math.max(.8, this.x(from[first + i] + cycles[first + i]) - left - (high > 8 ? .6 : 0));
        let bottom = y + high - 1;
        // By the square root, so that few messages beside many do not look like none.
        const all = totalOf(rows[row]);
        const whole = Math.max(1.5, (high - 2) * Math.sqrt(all / cycles[first + i] / (most || 1)));
        for (const [cause, count] of [...rows[row]].sort((a, b) => a[0] - b[0])) {
          const tall = whole * count / all;
          this.fill(cause, Math.min(wide, tall));
          this.pen.fillRect(left, bottom - tall, wide, tall);
          bottom -= tall;
        }
      });
    }
  }

  drawOthers() {
    const {from, cycles} = data.trial.stretches;
    const [first] = this.range;
    this.pen.fillStyle = colour("quiet");
    for (const {row, y, others} of this.rows) {
      if (others === 0) continue;
      this.others[row].forEach((count, i) => {
        if (count <= 0) return;
        const left = this.x(from[first + i]);
        const tall = Math.max(2, Math.min(6, 2 * count / cycles[first + i]));
        this.pen.fillRect(left, y + 7 - tall, this.x(from[first + i] + cycles[first + i]) - left - .5, tall);
      });
    }
  }

  place(one) {
    const row = this.rows.find((of) => of.row === one.row);
    return row.y + row.others + one.lane * this.lane_height;
  }

  drawMessage(one) {
    const {pen} = this;
    const {message_stretches: parts, causes} = data.trial;
    const y = this.place(one);
    const high = Math.max(1.5, this.lane_height - 1.5);
    let first = one.created;
    for (let part = one.begin; part < one.end; ++part) {
      const left = this.x(first);
      first += parts.cycles[part];
      const wide = this.x(first) - left;
      if (left + wide < this.left || left > this.width) continue;
      const moves = ["hop", "length", "ts", "tr"].includes(causes[parts.cause[part]]);
      this.fill(parts.cause[part], wide);
      const thin = moves ? high : high * .8;
      pen.fillRect(left, y + (high - thin) / 2, Math.max(.6, wide), thin);
    }
    const {pick} = view;
    const is_chosen = pick && pick.message === one.number;
    const waits_there = pick && pick.line !== undefined && one.lines.has(pick.line);
    if (!one.is_on_path && !is_chosen && !waits_there) return;
    pen.strokeStyle = colour(is_chosen || waits_there ? "text" : "lit");
    pen.lineWidth = is_chosen ? 2.5 : waits_there ? 1.2 : 1.8;
    pen.strokeRect(this.x(one.created), y - .5, this.x(one.has) - this.x(one.created), high + 1);
  }

  // Behind a message its other end, where the lane has room for it.
  nameMessages() {
    const {pen} = this;
    if (this.lane_height < 10) return;
    const next = new Map();
    pen.font = "10px sans-serif";
    pen.textAlign = "left";
    pen.fillStyle = colour("quiet");
    for (const one of [...this.shown].reverse()) {
      const lane = one.row + " " + one.lane;
      const end = next.has(lane) ? this.x(next.get(lane)) : this.width;
      next.set(lane, one.created);
      const node = view.rows === "sender" ? one.receiver : one.source;
      if (node < 0) continue;
      const words = (view.rows === "sender" ? "to " : "from ") + nodeName(node);
      const x = this.x(one.has) + 3;
      if (x > this.left && x + pen.measureText(words).width < end - 2) {
        pen.fillText(words, x, this.place(one) + this.lane_height / 2 + 3);
      }
    }
  }

  drawArrows() {
    const {pen} = this;
    const shown = new Set(this.shown);
    if (shown.size > 600) return;
    for (const one of this.shown) {
      const before = messageList[one.after];
      if (before === undefined || !shown.has(before)) continue;
      const is_lit = one.is_on_path && before.is_on_path;
      const x0 = this.x(before.has), y0 = this.place(before) + this.lane_height / 2;
      const x1 = this.x(one.created), y1 = this.place(one) + this.lane_height / 2;
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
    pen.fillStyle = colour("quiet");
    pen.font = "11px sans-serif";
    pen.textAlign = "center";
    const wide = 8 * number(this.to).length + 16;
    const ticks = this.x.ticks(Math.max(2, Math.floor((this.width - this.left) / wide)));
    for (const tick of ticks.filter(Number.isInteger)) {
      const at = this.x(tick);
      if (at < this.width - wide / 2 && at > this.left + wide / 3) pen.fillText(number(tick), at, 14);
    }
    pen.textAlign = "left";
    pen.fillText("cycle", 4, 14);
    pen.textAlign = "right";
    let last = -Infinity;
    for (const {row, y, high} of this.rows) {
      const at = y + Math.min(high, 16) / 2 + 4;
      if (at - last < 11) continue;
      const is_chosen = view.pick && view.pick.cell !== undefined &&
        Math.floor(view.pick.cell / messageRows.per) === row;
      pen.font = (is_chosen ? "bold " : "") + "11px sans-serif";
      pen.fillStyle = colour(is_chosen ? "text" : "quiet");
      pen.fillText(messageRows.words(row).slice(0, 11), 66, at);
      last = at;
    }
  }

  tell() {
    const {receptions} = data.trial;
    const left_out = this.is_single && d3.sum(this.others, (of) => d3.sum(of, (x) => Math.max(0, x)));
    const rows = messageRows.per > 1 ? " A row has " + messageRows.per + " nodes or blocks." : "";
    this.words.textContent = (this.is_single
      ? shownInWords(this.shown) + " one by one" + (left_out > 0
        ? "; grey bars are " + counted(Math.round(left_out), "cycle") + " of others, of " +
          receptionsInWords(receptions) + " in all."
        : view.show === "path" ? " on the critical path." : ": all of that time.")
      : "All messages, by cause; a full row is " + d3.format(".3~r")(this.most || 0) +
        " under way at once, one of half the height a quarter of that. " +
        (view.show === "single" || view.show === "path" ? "They are too many to stand one by one: a" : "A") +
        " narrower time shows them so.") +
      " Left: the cycles of each row." + rows +
      (this.is_single && this.shown.some((one) => one.is_on_path) ? " Framed in red: the critical path." : "");
    const causes = new Set(d3.merge(this.sums.map((of) => [...of.keys()])));
    this.legend.textContent = "";
    const shown = data.trial.causes.filter((_, cause) => causes.has(cause));
    addLegend(this.legend, shown, shown.map((name) => data.trial.meanings[data.trial.causes.indexOf(name)]));
    this.listSlowest();
  }

  // Those of that time with most cycles, and what most of these are.
  listSlowest() {
    const list = this.shown.filter((one) => one.has > one.created)
      .sort((a, b) => (b.has - b.created) - (a.has - a.created)).slice(0, 5);
    this.slowest.textContent = "";
    if (list.length === 0) return;
    add(this.slowest, "h3", "The slowest of the " + (view.time ? "messages that were under way in " + timeInWords(view.time)
      : "whole run"));
    addWholeRun(this.slowest);
    const items = add(this.slowest, "ol", "", {class: "places"});
    for (const one of list) {
      const button = addButton(add(items, "li"), slowInWords(one), () => setView({pick: {message: one.number}}));
      if (view.pick && view.pick.message === one.number) button.setAttribute("aria-pressed", "true");
    }
    markNames(this.slowest);
  }

  press(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const found = this.is_single && this.shown.find((one) => this.place(one) <= y &&
      y < this.place(one) + this.lane_height && this.x(one.created) <= x && x <= this.x(one.has));
    if (found) return setView({pick: {message: found.number}});
    const row = this.rows.find((of) => of.y <= y && y < of.y + of.high);
    if (row && row.row >= 0) setView({pick: {cell: row.row * messageRows.per}});
  }

  key(event) {
    if (event.key === "+") timePicture.stretch(.5);
    if (event.key === "-") timePicture.stretch(2);
    if (event.key === "Escape") setView({pick: null});
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step === undefined || this.shown.length === 0) return;
    event.preventDefault();
    const at = view.pick ? this.shown.findIndex((one) => one.number === view.pick.message) : -1;
    const next = this.shown[Math.max(0, Math.min(this.shown.length - 1, at + step))];
    setView({pick: {message: next.number}});
  }
}

let messagesPicture = null;
drawers.messages = (figure) => { messagesPicture = new MessagesPicture(figure); };
