// The messages that the page draws as a trace that the viewer of Perfetto opens: made here, and handed
// over by a click only. It is in the form of Chrome's trace events; a cycle is a nanosecond.
const perfettoViewer = "https://ui.perfetto.dev";

/// The events of messages, below their senders in lanes where none overlaps another one, and of all
/// channels.
function traceEvents() {
  const {message_stretches: parts, causes, stretches, fabric} = data.trial;
  const at = (cycle) => cycle / 1000;
  const events = [];
  const lanes = new Map();
  for (const one of [...messageList].sort((a, b) => a.created - b.created || b.has - a.has)) {
    if (!lanes.has(one.source)) {
      lanes.set(one.source, []);
      const name = "node " + nodeName(one.source);
      events.push({ph: "M", name: "process_name", pid: one.source + 1, args: {name}},
                  {ph: "M", name: "process_sort_index", pid: one.source + 1,
                   args: {sort_index: one.source + 1}});
    }
    const ends = lanes.get(one.source);
    let lane = ends.findIndex((end) => end <= one.created);
    if (lane < 0) lane = ends.length;
    ends[lane] = one.has;
    const place = {pid: one.source + 1, tid: lane};
    events.push({ph: "X", name: one.words, cat: "message", ts: at(one.created),
                 dur: at(one.has - one.created), ...place,
                 args: {to: one.receiver < 0 ? "not received" : String(nodeName(one.receiver)),
                        cycles: one.has - one.created}});
    let first = one.created;
    for (let part = one.begin; part < one.end; ++part) {
      const args = {};
      if (parts.line[part] >= 0) args.at = fabricWords.place(parts.line[part], parts.port[part]);
      if (parts.blamed[part] >= 0) args["because of"] = data.trial.names[parts.blamed[part]];
      events.push({ph: "X", name: causes[parts.cause[part]], cat: "cause", ts: at(first),
                   dur: at(parts.cycles[part]), ...place, args});
      first += parts.cycles[part];
    }
  }
  // Behind the nodes, whose processes are their numbers plus 1: process 0 is another thing to viewers.
  const others = 2 + Math.max(...lanes.keys());
  const channels = d3.sum(fabric.lines, (line) => line[4]) || 1;
  events.push({ph: "M", name: "process_name", pid: others, args: {name: "all channels"}});
  for (let i = 0; i < stretches.rows; ++i) {
    const share = (cycles) => Number(decimals(100 * cycles / (stretches.cycles[i] * channels), 1));
    events.push({ph: "C", name: "channels, %", pid: others, ts: at(stretches.from[i]),
                 args: {used: share(stretches.used[i]), blocked: share(stretches.blocked[i])}});
  }
  return events;
}

function traceText() {
  return JSON.stringify({traceEvents: traceEvents(), displayTimeUnit: "ns",
                         otherData: {command: document.getElementById("command").textContent}});
}

/// Opens the viewer, asks it until it answers, and gives it the trace.
function openInPerfetto(tell) {
  const viewer = window.open(perfettoViewer);
  if (!viewer) {
    tell("The browser opens no window: save the trace, and open it at " + perfettoViewer + ".");
    return;
  }
  tell("The viewer is asked to open the trace.");
  const asking = setInterval(() => viewer.postMessage("PING", perfettoViewer), 100);
  const stop = () => {
    clearInterval(asking);
    clearTimeout(patience);
    window.removeEventListener("message", answer);
  };
  const patience = setTimeout(() => {
    stop();
    tell("The viewer does not answer: save the trace, and open it at " + perfettoViewer + ".");
  }, 30000);
  const answer = (event) => {
    if (event.origin !== perfettoViewer || event.data !== "PONG") return;
    stop();
    const buffer = new TextEncoder().encode(traceText()).buffer;
    viewer.postMessage({perfetto: {buffer, title: document.title, fileName: fileName("trace", "json")}},
                       perfettoViewer);
    tell("The viewer has the trace.");
  };
  window.addEventListener("message", answer);
}

function addTraceButtons(section) {
  if (messageList.length === 0) return;
  const controls = add(section, "div", "", {class: "controls"});
  const {receptions} = data.trial;
  const words = add(section, "p", "What is drawn above one by one, " + shownInWords(messageList) +
    (receptions > messageList.length ? " of " + number(receptions) : "") + ", as a trace in which a cycle is a nanosecond. The first button opens " + perfettoViewer +
    ", which needs a network; nothing else of this page does.", {class: "quiet", role: "status"});
  addButton(controls, "open in Perfetto", () => openInPerfetto((told) => { words.textContent = told; }));
  addButton(controls, "save the trace", () =>
    saveFile(fileName("trace", "json"), "application/json", [traceText()]));
}
