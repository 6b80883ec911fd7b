// A deadlock as it was found: who waits for what, since when, and who holds it. All that the page says
// of the end of such a run follows from these waits.
const stop = data.trial && data.stop ? data.stop : null;

/// Whether the stretches end where nothing can move any more.
function showsStop([, last]) { return stop !== null && last === data.trial.stretches.rows - 1; }

/// From where on the frame shows a deadlock: from the cycle in which its circle closes, or else the last tenth.
function timeOfStop() {
  const closes = d3.max(stop.waits.filter((wait) => wait.in_circle), (wait) => wait.since);
  return closes === undefined ? lastTenth : cyclesOf(stretchesOf([closes, runCycles - 1]));
}

/// What happens on the way to the deadlock, and in which cycle.
function marksOfStop() {
  if (!stop) return [];
  const closes = d3.max(stop.waits.filter((wait) => wait.in_circle), (wait) => wait.since);
  return [...(closes === undefined ? [] : [["the circle of waits closes", closes]]),
          ["the last flit moves", stop.last_movement]];
}

/// The cycle from which on the circle is closed.
const circleCloses = !stop ? Infinity
  : d3.max(stop.waits.filter((wait) => wait.in_circle), (wait) => wait.since) || stop.cycle;

function heldBy({held_by}) { return held_by < 0 ? "" : ", held by " + stop.names[held_by]; }

/// `waits for channel 5 -> 4 (dimension 0) since cycle 2, held by 5 -> all`
function waitInWords(wait) {
  return wait.for + " since cycle " + number(wait.since) + heldBy(wait);
}

/// The line that a wait is about; -1: none is drawn.
function lineOfWait({channel}) {
  if (!lineOfWait.known) {
    lineOfWait.known = new Map(data.trial.fabric.lines.map((_, line) => [channelAddress(line), line]));
  }
  return lineOfWait.known.has(channel) ? lineOfWait.known.get(channel) : -1;
}

/// ` When nothing moves any more, 3 -> all waits for it since cycle 2, held by 5 -> all.`
function stopOfLine(line) {
  const waits = stop.waits.filter((wait) => lineOfWait(wait) === line);
  if (waits.length === 0) return " When nothing moves any more, no message waits for it.";
  const holders = d3.group(waits, (wait) => wait.held_by);
  return " When nothing moves any more, " + [...holders].map(([, of]) =>
    of.map((wait) => stop.names[wait.message] + " waits for it since cycle " + number(wait.since)).join(" and ") +
    heldBy(of[0])).join("; ") + ".";
}

/// What a message that can never be delivered waits for, and what it holds; empty: it is none.
function stopOfMessage(key) {
  const message = stop ? stop.keys.indexOf(key) : -1;
  if (message < 0) return "";
  const waits = stop.waits.filter((wait) => wait.message === message);
  return "\nWhen nothing moves any more it waits for " + (waits.length === 0 ? "what its own worm keeps"
    : waits.map((wait) => waitInWords(wait) + (wait.in_circle ? " (in the circle)" : "")).join("; ")) +
    "." + (holdsInWords(message) && "\nIt holds " + holdsInWords(message) + ".");
}

/// `channel 1 -> 0 (dimension 0), for which 5 -> all and 9 -> all wait`; empty: nothing that is waited for.
function holdsInWords(message) {
  const held = d3.group(stop.waits.filter((wait) => wait.held_by === message && wait.message !== message),
                        (wait) => wait.for);
  return [...held].map(([what, of]) => {
    const names = [...new Set(of.map((wait) => stop.names[wait.message]))];
    return what + ", for which " + names.join(" and ") + (names.length === 1 ? " waits" : " wait");
  }).join("; ");
}

/// Words in lines of at most `most` letters.
function inLines(words, most) {
  const lines = [""];
  for (const word of words.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== "" && last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : last + " " + word;
  }
  return lines;
}

/// ` The circle closes in cycle 2 at node 5, port 0: 3 -> all comes to wait for channel 5 -> 4 (+x). What can
/// still move goes on: the circle of waits closes in cycle 2, the last flit moves in cycle 19, ..`
function closesInWords() {
  const last = stop.waits.filter((wait) => wait.in_circle).sort((a, b) => a.since - b.since).pop();
  const times = stop.times[0].toUpperCase() + stop.times.slice(1) + ".";
  if (last === undefined) return " " + times;
  const [node, port] = last.channel === "" ? [] : last.channel.split(".");
  return " The circle closes in cycle " + number(last.since) +
    (node === undefined ? "" : " at node " + nodeName(Number(node)) + ", port " + port) + ": " +
    stop.names[last.message] + " comes to wait for " + last.for + ". What can still move goes on after that: " +
    stop.times.slice(stop.times.indexOf(", ") + 2) + ", so that the run ends there.";
}

// The circle once: each message, and below it what it waits for; the last one waits for the first.
function drawCircle(place) {
  const circle = stop.waits.filter((wait) => wait.in_circle);
  const most = 8;
  const shown = circle.length <= most ? circle
    : [...circle.slice(0, most - 2), null, circle[circle.length - 1]];
  const width = Math.max(300, Math.min(760, place.clientWidth - 2));
  const left = 44, row = 17;
  let y = 10;
  const parts = shown.map((wait) => {
    const words = wait === null ? counted(circle.length - most + 1, "more message") + ", each waiting for the next"
      : "waits for " + wait.for + " since cycle " + number(wait.since) + (circle.length === 1 ? ", held by itself" : ", held by");
    const part = {wait, y, lines: inLines(words, (width - left - 30) / 6.6)};
    y += (wait === null ? 0 : 26) + part.lines.length * row + 12;
    return part;
  });
  const svg = addSvg(place, width, y + 4, "the circle of " + counted(circle.length, "wait"));
  const line = svg.append("path").attr("class", "circle").attr("fill", "none").attr("stroke", "var(--lit)")
    .attr("stroke-width", 2)
    .attr("d", "M" + (left + 10) + "," + (y - 8) + "H14V" + (parts[0].y + 13) + "H" + (left - 2) + "m-7,-4l7,4l-7,4");
  const last = circle[circle.length - 1];
  line.append("title").text(stop.names[last.message] + " waits for " + waitInWords(last));
  parts.forEach(({wait, y: top, lines}, i) => {
    const below = top + (wait === null ? 0 : 26);
    const end = i + 1 < parts.length ? parts[i + 1].y : y - 8;
    svg.append("path").attr("fill", "none").attr("stroke", "var(--lit)").attr("stroke-width", 2)
      .attr("d", "M" + (left + 10) + "," + below + "V" + end + (i + 1 < parts.length ? "m-4,-7l4,7l4,-7" : ""));
    const label = svg.append("text").attr("y", below + row - 2);
    lines.forEach((text, at) => label.append("tspan").attr("x", left + 24).attr("dy", at === 0 ? 0 : row).text(text));
    if (wait === null) return;
    const at = lineOfWait(wait);
    if (at >= 0) label.attr("class", "branch").on("click", () => pickLine(at));
    const name = stop.names[wait.message];
    const box = svg.append("g").attr("class", "branch").on("click", () => pickStuck(wait.message));
    box.append("rect").attr("x", left).attr("y", top).attr("width", 18 + 7.4 * name.length).attr("height", 26)
      .attr("rx", 5).attr("fill", "var(--soft)").attr("stroke", "var(--lit)").attr("stroke-width", 1.6);
    box.append("text").attr("x", left + 9).attr("y", top + 17).style("font-weight", 600).text(name);
  });
}

function pickStuck(message) {
  const drawn = messageNumbers().get(stop.keys[message]);
  if (drawn !== undefined) setView({pick: {message: drawn}});
}

// Beneath it: what else waits, and for what; what it holds.
function listBehind(place) {
  const most = 30;
  const in_circle = new Set(stop.waits.filter((wait) => wait.in_circle).map((wait) => wait.message));
  const rows = [];
  for (const [message, waits] of d3.group(stop.waits.filter((wait) => !wait.in_circle), (wait) => wait.message)) {
    const few = waits.slice(0, 6).map(waitInWords).join("; ") + (waits.length > 6 ? "; and " + (waits.length - 6) + " more" : "");
    const holds = in_circle.has(message) ? "" : holdsInWords(message);
    rows.push({message, is_of_circle: in_circle.has(message),
               words: (in_circle.has(message) ? " waits besides for " : " waits for ") + few + "." + (holds && " It holds " + holds + ".")});
  }
  const put = (heading, of) => {
    if (of.length === 0) return;
    add(place, "h3", heading);
    const items = add(place, "ul", "", {class: "places"});
    for (const {message, words} of of.slice(0, most)) {
      const item = add(items, "li");
      addButton(item, stop.names[message], () => pickStuck(message));
      add(item, "span", words);
    }
    const hidden = of.length - Math.min(of.length, most);
    if (hidden > 0) add(items, "li", "and " + counted(hidden, "more message"));
  };
  put(in_circle.size > 0 ? "What waits besides the circle" : "What waits", rows.filter((row) => !row.is_of_circle));
  put("What the messages of the circle wait for besides", rows.filter((row) => row.is_of_circle));
  if (stop.all > stop.waits.length) {
    add(place, "p", "Of " + counted(stop.all, "wait") + " the first " + stop.waits.length + " are told.", {class: "quiet"});
  }
}

/// Beside the fabric: the channels that are waited for when nothing moves any more.
function listStop(place) {
  add(place, "h3", "Waited for when nothing moves any more");
  const items = add(place, "ol", "", {class: "places"});
  const by_line = d3.group(stop.waits.filter((wait) => lineOfWait(wait) >= 0), lineOfWait);
  for (const [line, waits] of [...by_line].slice(0, 20)) {
    const words = fabricWords.words(line) + ": " + [...d3.group(waits, (wait) => wait.held_by)].map(([, of]) =>
      of.map((wait) => stop.names[wait.message] + " since " + number(wait.since)).join(", ") + heldBy(of[0])).join("; ");
    const button = addButton(add(items, "li"), words, () => pickLine(line));
    if (view.pick && view.pick.line === line) button.setAttribute("aria-pressed", "true");
  }
}
