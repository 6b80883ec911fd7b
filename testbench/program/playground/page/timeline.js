// The timeline of a trial (timeline.csv) as what moves over a fabric.

/// Splits a line of the table; only places have quotes.
function cellsOf(line) {
  const cells = [];
  for (const cell of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push(cell[1] !== undefined ? cell[1] : cell[2]);
  }
  return cells;
}

/// {held, waits, busy, received, cycles}: `held` are channels {u, v, place, message, from, to, cut},
/// `waits` are messages that another one keeps off a channel {at, u, v, place, message, blamed, from, to},
/// `busy` are processors {node, what, from, to}, `received` are [node, cycle], all in the order of time.
function readTimeline(text) {
  const found = {held: [], waits: [], busy: [], received: [], cycles: 0};
  const lines = text.split("\n");
  const names = lines[0].split(",");
  const column = Object.fromEntries(names.map((name, at) => [name, at]));
  for (let i = 1; i < lines.length; ++i) {
    if (lines[i] === "") continue;
    const cells = cellsOf(lines[i]);
    const [node, place, what] = [Number(cells[column.node]), cells[column.place], cells[column.what]];
    const one = {message: cells[column.message], from: Number(cells[column.from]), to: Number(cells[column.to])};
    found.cycles = Math.max(found.cycles, one.to);
    const channel = /^(?:waiting for )?channel (\d+) -> (\d+) /.exec(place);
    if (what === "message" && channel) {
      const cut = cells[column.flits_not_sent] !== "";
      found.held.push({...one, u: Number(channel[1]), v: Number(channel[2]), place, cut});
    } else if (what === "message" && place.startsWith("ejection") && cells[column.flits_not_sent] === "") {
      found.received.push([node, one.to]);
    } else if (what === "wait" && channel && cells[column.blamed] !== "") {
      found.waits.push({...one, at: node, u: Number(channel[1]), v: Number(channel[2]), blamed: cells[column.blamed],
                        place: place.replace("waiting for ", "")});
    } else if (what === "ts" || what === "tr") {
      found.busy.push({node, what, from: one.from, to: one.to});
    }
  }
  const byTime = (a, b) => a.from - b.from;
  for (const list of [found.held, found.waits, found.busy]) list.sort(byTime);
  found.received.sort((a, b) => a[1] - b[1]);
  return found;
}

/// Those of `list`, in the order of `from`, that are there in `cycle`.
function thereIn(list, cycle) {
  const there = [];
  for (const one of list) {
    if (one.from > cycle) break;
    if (cycle < one.to) there.push(one);
  }
  return there;
}

/// A cycle in words.
function cycleInWords(timeline, cycle) {
  const held = thereIn(timeline.held, cycle), waits = thereIn(timeline.waits, cycle);
  const worms = new Set(held.map((one) => one.message)).size;
  const count = (number, word) => number + " " + word + (number === 1 ? "" : "s");
  const words = [count(worms, "worm") + (worms === 1 ? " holds " : " hold ") + count(held.length, "channel")];
  for (const wait of waits.slice(0, 4)) {
    words.push(wait.message + " waits for " + wait.place + ", because of " + wait.blamed);
  }
  if (waits.length > 4) words.push("and " + count(waits.length - 4, "other") + " wait");
  return words;
}

/// The next cycle after `cycle` (step 1), or before it (step -1), in which something begins or ends.
function nextEvent(timeline, cycle, step) {
  let best = step > 0 ? timeline.cycles : 0;
  for (const list of [timeline.held, timeline.waits, timeline.busy]) {
    for (const one of list) {
      for (const at of [one.from, one.to]) {
        if (step > 0 ? at > cycle && at < best : at < cycle && at > best) best = at;
      }
    }
  }
  return best;
}
