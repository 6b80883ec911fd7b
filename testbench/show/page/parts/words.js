// What is said of channels and nodes, and the sums that it is said from.
const useNames = Object.keys(useLooks);  // in the order of the columns of `uses`
const insideKinds = ["injection", "ejection", "channels", "processor"];

/// The cell that line `line`, a channel or one inside a cell, begins at.
function cellOfLine(line) {
  const {lines, nodes} = data.trial.fabric;
  return line < lines.length ? lines[line][0] : (line - lines.length) % nodes.length;
}

/// The words for lines, which are numbered: those between cells, then four inside each cell.
const fabricWords = (() => {
  if (!data.trial) return null;
  const {lines, nodes, factors, names = nodes, processors} = data.trial.fabric;
  const is_folded = factors.some((factor) => factor > 1);
  const kind = (i) => processors && !processors[i] ? "switch " : "node ";
  const cell = (i) => (is_folded ? "the block of " : "") + kind(i) + names[i];
  const words = (line) => {
    if (line < lines.length) {
      const [from, to, dimension, sign, channels] = lines[line];
      const way = processors ? (is_folded ? "" : " (port " + dimension + ")")
        : " (" + direction(dimension, sign) + ")";
      return (channels > 1 ? channels + " channels " : "channel ") + names[from] + " -> " +
        names[to] + way;
    }
    const at = line - lines.length;
    return insideKinds[Math.floor(at / nodes.length)] + " of " + cell(at % nodes.length);
  };
  return {words, cell, is_folded, name: (i) => names[i],
          place: (line, port) => words(line) + (directionsOf(line, port) && " (" + directionsOf(line, port) + ")"),
          isSwitch: (i) => !is_folded && processors !== undefined && !processors[i],
          first: (kind) => lines.length + insideKinds.indexOf(kind) * nodes.length};
})();

/// The lines that leave a cell, by their ports.
function linesFrom(cell) {
  const {lines, nodes} = data.trial.fabric;
  if (!linesFrom.known) {
    linesFrom.known = nodes.map(() => []);
    lines.forEach(([from], line) => linesFrom.known[from].push(line));
  }
  return linesFrom.known[cell];
}

/// Those of them that messages of injection channel `port` of the cell begin with.
function linesOfPort(cell, port) {
  const {lines, injections, ports, names} = data.trial.fabric;
  const channels = names ? ports[cell] : injections.length;
  if (port < 0 || channels < 2) return [];
  return linesFrom(cell).filter((line) => lines[line][5] % channels === port);
}

/// `+x`, or of a cube `dimensions 0, 2`: their directions, for channel `port` of the injection `line`;
/// empty: it serves all.
function directionsOf(line, port) {
  const {lines, names} = data.trial.fabric;
  const of = linesOfPort(cellOfLine(line), port).map((one) => lines[one]);
  if (of.length === 0) return "";
  const many = of.length === 1 ? " " : "s ";
  if (names) return "port" + many + of.map((one) => one[5]).join(", ");
  if (of[0][3] === 0) return "dimension" + many + of.map((one) => one[2]).join(", ");
  return of.map((one) => direction(one[2], one[3])).join(", ");
}

/// What all lines do in the stretches `first` .. `last`: a typed array each for uses, flits, most
/// heads waiting, cycles of waiting and those that blame a message; `waits` by line and cause, and
/// `ports` by line of an injection and port.
const lineSums = (() => {
  const known = new Map();
  const addTo = (sums, line, key, cycles) => {
    if (!sums.has(line)) sums.set(line, new Map());
    sums.get(line).set(key, (sums.get(line).get(key) || 0) + cycles);
  };
  const sum = ([first, last]) => {
    const {uses, waits, fabric} = data.trial;
    const count = fabric.lines.length + insideKinds.length * fabric.nodes.length;
    const column = () => new Float64Array(count);
    const sums = {uses: useNames.map(column), flits: column(), most: column(), waiting: column(),
                  blamed: column(), waits: new Map(), ports: new Map()};
    const columns = [uses.used, uses.lost, uses.no_credit, uses.empty];
    let [row, end] = rowsOf("uses", first, last);
    for (; row < end; ++row) {
      const line = uses.line[row];
      for (let i = 0; i < columns.length; ++i) sums.uses[i][line] += columns[i][row];
      sums.flits[line] += uses.flits[row];
      sums.most[line] = Math.max(sums.most[line], uses.most[row]);
    }
    [row, end] = rowsOf("waits", first, last);
    for (; row < end; ++row) {
      const line = waits.line[row];
      addTo(sums.waits, line, waits.cause[row], waits.cycles[row]);
      if (waits.port[row] >= 0) addTo(sums.ports, line, waits.port[row], waits.cycles[row]);
      sums.waiting[line] += waits.cycles[row];
      sums.blamed[line] += waits.blamed[row];
    }
    return sums;
  };
  return (range) => {
    const key = range.join();
    if (!known.has(key)) {
      if (known.size > 20) known.clear();
      known.set(key, sum(range));
    }
    return known.get(key);
  };
})();

/// How many channels a line stands for.
function channelsOf(line) {
  const {lines, ports} = data.trial.fabric;
  if (line < lines.length) return lines[line][4];
  return line < fabricWords.first("channels") ? ports[cellOfLine(line)] || 1 : 1;
}

/// The key with most cycles: of `sums.waits` the cause of most of the waiting for a line, of
/// `sums.ports` the port of it; or -1.
function mainOf(sums, line) {
  let most = 0, main = -1;
  for (const [key, cycles] of sums.get(line) || []) {
    if (cycles > most) [main, most] = [key, cycles];
  }
  return main;
}

const cyclesIn = ([first, last]) => last - first + 1;

/// `messages`, or where some have several branches, of which each waits for itself, `branches of messages`.
function waitersInWords() {
  if (waitersInWords.words === undefined) {
    waitersInWords.words = messageList.some((one) => one.address !== one.words) ? "branches of messages" : "messages";
  }
  return waitersInWords.words;
}

/// `5 messages`, or where a message has several, `5 receptions`.
function receptionsInWords(count) { return counted(count, waitersInWords() === "messages" ? "message" : "reception"); }

/// `5 receptions and 30 branches`: what is not received has one for each place that it has got to.
function shownInWords(list) {
  const branches = list.filter((one) => one.receiver < 0).length;
  return receptionsInWords(list.length - branches) +
    (branches === 0 ? "" : " and " + number(branches) + (branches === 1 ? " branch" : " branches"));
}

/// The measures that channels are coloured by: a number for a line in `cycles` cycles.
const measures = {
  used: {words: "used: the share of the cycles in which flits go", is_share: true,
         of: (sums, line, cycles) => sums.uses[0][line] / (cycles * channelsOf(line))},
  blocked: {words: "blocked: owned or wanted, and no flit goes", is_share: true,
            of: (sums, line, cycles) => (sums.uses[1][line] + sums.uses[2][line] +
              sums.uses[3][line]) / (cycles * channelsOf(line))},
  waiting: {get words() { return "waiting: " + waitersInWords() + " that wait for it, on average"; }, is_share: false,
            of: (sums, line, cycles) => sums.waiting[line] / cycles},
  cause: {words: "the cause of most waiting", is_share: false,
          of: (sums, line, cycles) => sums.waiting[line] / cycles},
};

function amountInWords(measure, value) {
  return measures[measure].is_share ? percent(value, 1)
    : (value >= 100 ? number(decimals(value, 0)) : decimals(value, 2)) + " waiting";
}

/// What those that wait for a line stand behind: the line that most of them wait for next.
function behindOf(line, [first, last]) {
  const {branches} = data.trial;
  const counts = new Map();
  for (let stretch = first; stretch <= last; ++stretch) {
    const [begin, end] = rowsOf("branches", stretch, stretch);
    for (let row = begin; row < end; ++row) {
      const parent = branches.parent[row];
      if (branches.line[row] !== line || parent < 0) continue;
      const to = branches.line[begin + parent];
      if (to !== line) counts.set(to, (counts.get(to) || 0) + branches.messages[row]);
    }
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most === undefined ? -1 : most[0];
}

/// `channel 5.2 (5 -> 6, +x), cycles 510 to 610: 61 % used, 30 % without credit behind 12 -> 40`
function lineInWords(line, range) {
  const sums = lineSums(range);
  const time = cyclesOf(range);
  const all = cyclesIn(time) * channelsOf(line);
  const is_channel = line < data.trial.fabric.lines.length;
  const parts = [];
  if (line < fabricWords.first("processor")) {
    const shares = ["used", "lost to other flits", "without credit", "owned but empty"];
    parts.push(...shares.map((name, i) => [sums.uses[i][line], name])
      .filter(([cycles], i) => i === 0 || cycles > 0)
      .map(([cycles, name]) => percent(cycles, all) + " " + name));
    if (!fabricWords.is_folded) {
      parts.push(percent(all - d3.sum(sums.uses, (of) => of[line]), all) + " idle");
    }
    parts.push(counted(sums.flits[line], "flit"));
    if (sums.most[line] > 0) parts.push("at most " + counted(sums.most[line], "head") + " waiting");
  }
  const waits = [...(sums.waits.get(line) || [])].sort((a, b) => b[1] - a[1]);
  if (waits.length === 0) {
    parts.push("no message waits for it");
  } else {
    parts.push(waitersInWords() + " wait " + counted(sums.waiting[line], "cycle") + " for it (" +
      waits.map(([cause, cycles]) => data.trial.causes[cause] + " " + number(cycles)).join(", ") +
      "), " + number(sums.blamed[line]) + " of them because of others");
    const ports = [...(sums.ports.get(line) || [])].filter(([port]) => directionsOf(line, port));
    if (ports.length > 0) {
      parts.push("by direction " + ports.sort((a, b) => b[1] - a[1]).map(([port, cycles]) =>
        directionsOf(line, port) + " " + number(cycles)).join(", "));
    }
    const behind = behindOf(line, range);
    if (behind >= 0) parts.push("they stand behind " + fabricWords.words(behind));
  }
  const name = is_channel && !fabricWords.is_folded
    ? fabricWords.words(line).replace("channel ", "channel " + channelAddress(line) + ", ")
    : fabricWords.words(line);
  return name + ", " + timeInWords(time) + ": " + parts.join(", ") + "." +
    (is_channel && showsStop(range) ? stopOfLine(line) : "");
}

function nodeInWords(cell, range) {
  const {nodes} = data.trial.fabric;
  if (fabricWords.isSwitch(cell)) {
    return fabricWords.cell(cell) + " has no processor; its channels are listed beside the fabric.";
  }
  const lines = ["injection", "ejection", "processor"]
    .map((kind) => lineInWords(fabricWords.first(kind) + cell, range));
  const latency = data.run.latency.by_destination && data.run.latency.by_destination[nodes[cell]];
  const has = latency === undefined || fabricWords.is_folded ? ""
    : fabricWords.cell(cell) + (data.complete ? " has everything in cycle " + number(latency) + ".\n"
      : " received last in cycle " + number(latency) + "; the run is not complete.\n");
  return has + lines.join("\n");
}
