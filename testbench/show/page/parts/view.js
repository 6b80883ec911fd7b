// The view: the time and the thing that are chosen, and how they are shown. It is in the address,
// so that who is sent the address sees the same: #t=510-610&channel=5.2&by=cause
const view = {
  time: null,   // [first, last] cycle, or null: the whole run
  pick: null,   // {line}, {cell} or {message}, by their numbers in the data
  listeners: [],
};

/// The words that a key of the address may have; the first one is what counts without it.
const viewChoices = {by: ["used"], map: ["all"], halves: ["ends"], rows: ["sender"],
                     show: ["auto", "density", "single"]};
for (const key of Object.keys(viewChoices)) view[key] = viewChoices[key][0];

const runCycles = data.trial ? Math.max(1, data.trial.cycles) : 0;

/// The stretches of the run that lie in cycles `from` .. `to`, wholly or in part.
function stretchesOf(time) {
  const last = data.trial.stretches.rows - 1;
  if (!time) return [0, last];
  const number = (cycle) => Math.min(last, Math.floor(cycle / data.trial.every));
  return [number(time[0]), number(time[1])];
}

/// The cycles that these stretches have.
function cyclesOf([first, last]) {
  const {from, cycles} = data.trial.stretches;
  return [from[first], from[last] + cycles[last] - 1];
}

/// The tenth of the run in which channels are used most; of a short run all of it.
const busiestTenth = (() => {
  if (!data.trial || data.trial.stretches.rows < 20) return null;
  const {rows, used} = data.trial.stretches;
  const many = Math.ceil(rows / 10);
  let best = 0, sum = d3.sum(used.subarray(0, many)), most = sum;
  for (let first = 1; first + many <= rows; ++first) {
    sum += used[first + many - 1] - used[first - 1];
    if (sum > most) [best, most] = [first, sum];
  }
  return cyclesOf([best, best + many - 1]);
})();

/// The last tenth of the run, where a deadlock without a circle has stopped it.
const lastTenth = (() => {
  if (!data.trial) return null;
  const {rows} = data.trial.stretches;
  return cyclesOf([rows - Math.ceil(rows / 10), rows - 1]);
})();

/// `5.2`: the node that sends on a channel, and the port.
function channelAddress(line) {
  const {lines, nodes} = data.trial.fabric;
  return nodes[lines[line][0]] + "." + lines[line][5];
}

const addressReaders = {
  t: (text) => {
    if (text === "all") return {time: null};
    const match = /^(\d+)-(\d+)$/.exec(text);
    const [first, last] = match ? [Number(match[1]), Number(match[2])] : [1, 0];
    if (first > last || last >= runCycles) {
      return "are no cycles FIRST-LAST of 0.." + (runCycles - 1);
    }
    return {time: [first, last]};
  },
  channel: (text) => {
    const line = data.trial.fabric.lines.findIndex((_, i) => channelAddress(i) === text);
    return line < 0 ? "names no channel: NODE.PORT" : {pick: {line}};
  },
  node: (text) => {
    const {nodes, names = nodes} = data.trial.fabric;
    const cell = nodes.findIndex((node, i) => String(node) === text || String(names[i]) === text);
    return cell < 0 ? "names no node of the picture" : {pick: {cell}};
  },
  message: (text) => {
    const message = messageNumbers().get(text);
    return message === undefined ? "names no message that is drawn" : {pick: {message}};
  },
};
for (const key of Object.keys(viewChoices)) {
  addressReaders[key] = (text) => viewChoices[key].includes(text)
    ? {[key]: text} : "is none of " + viewChoices[key].join(", ");
}

/// Says which words of `key` the address may have, and what they are for people.
function offer(key, options) {
  viewChoices[key] = options.map(([word]) => word);
  view[key] = viewChoices[key][0];
}

/// Chooses a channel, or the node of what is inside one.
function pickLine(line) {
  setView({pick: line < data.trial.fabric.lines.length ? {line} : {cell: cellOfLine(line)}});
}

function pickAddress(pick = view.pick) {
  if (!pick) return [];
  const {line, cell, message} = pick;
  if (message !== undefined) return ["message=" + encodeURIComponent(messageList[message].address)];
  if (cell === undefined && line < data.trial.fabric.lines.length) {
    return ["channel=" + channelAddress(line)];
  }
  return ["node=" + data.trial.fabric.nodes[cell === undefined ? cellOfLine(line) : cell]];
}

function addressOf() {
  const parts = ["t=" + (view.time ? view.time.join("-") : "all"), ...pickAddress()];
  for (const [key, words] of Object.entries(viewChoices)) {
    if (view[key] !== words[0]) parts.push(key + "=" + view[key]);
  }
  return "#" + parts.join("&");
}

/// The stretches in which a message is under way.
function timeOfMessage(number) {
  const {created, has} = messageList[number];
  return cyclesOf(stretchesOf([Math.min(created, runCycles - 1), Math.min(Math.max(created, has - 1), runCycles - 1)]));
}

/// Whether nothing of the message that is chosen is in the time that is shown.
function isPickOutside({pick, time} = view) {
  if (!pick || pick.message === undefined || !time) return false;
  const {created, has} = messageList[pick.message];
  return created > time[1] || has <= time[0];
}

/// Changes the view, the address, and all that is drawn. A message that is chosen takes the time along to
/// where it is under way.
function setView(changes) {
  Object.assign(view, changes);
  if (changes.pick && isPickOutside()) view.time = timeOfMessage(changes.pick.message);
  history.replaceState(null, "", addressOf());
  tellProblems([]);
  showView();
}

function showView() {
  for (const listener of view.listeners) listener();
}

function tellProblems(problems) {
  const place = document.getElementById("address-problems");
  place.textContent = problems.join(" ");
  place.hidden = problems.length === 0;
}

function startOfView() {
  const start = {time: data.stop ? timeOfStop() : busiestTenth, pick: null};
  for (const [key, words] of Object.entries(viewChoices)) start[key] = words[0];
  return start;
}

/// What of the address is nonsense, one sentence each; the rest becomes the view.
function readAddress() {
  const hash = location.hash.slice(1);
  const problems = [];
  let has_time = false;
  Object.assign(view, startOfView());
  if (hash === "" || document.getElementById(hash)) return problems;
  for (const part of hash.split("&")) {
    const [key, ...rest] = part.split("=");
    let text = rest.join("=");
    try {
      text = decodeURIComponent(text);
    } catch (error) {
      // It stays as it is, and names nothing.
    }
    const reader = Object.prototype.hasOwnProperty.call(addressReaders, key) ? addressReaders[key] : null;
    const change = reader ? reader(text)
      : "has a key that is none of " + Object.keys(addressReaders).join(", ");
    if (typeof change === "string") {
      problems.push("Ignored in the address: \u201c" + part + "\u201d " + change + ".");
    } else {
      Object.assign(view, change);
      has_time = has_time || key === "t";
    }
  }
  if (!has_time && isPickOutside()) view.time = timeOfMessage(view.pick.message);
  return problems;
}

/// Reads the address now, and whenever somebody changes it.
function followAddress() {
  const read = () => {
    tellProblems(readAddress());
    showView();
  };
  window.addEventListener("hashchange", read);
  read();
  // Links within the page lead to a section, and leave the view in the address.
  for (const link of document.querySelectorAll("a[href^='#']:not(.name)")) {
    const section = document.getElementById(link.getAttribute("href").slice(1));
    if (!section) continue;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (section.id === "words") section.querySelector("details").open = true;
      section.scrollIntoView();
      section.tabIndex = -1;
      section.focus({preventScroll: true});
    });
  }
}

/// Where a list is of a part of the run: the way to the whole run.
function addWholeRun(parent) {
  if (view.time) addButton(add(parent, "p", "", {class: "whole"}), "of the whole run", () => setView({time: null}));
}

function timeInWords(time) {
  if (!time) return "the whole run (" + counted(runCycles, "cycle") + ")";
  return time[0] === time[1] ? "cycle " + number(time[0])
    : "cycles " + number(time[0]) + " to " + number(time[1]);
}
