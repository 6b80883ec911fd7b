// The page: a scenario, which is in the address, and what became of it.

const byId = (id) => document.getElementById(id);
const controls = JSON.parse(byId("controls-data").textContent);
const lessons = JSON.parse(byId("lessons-data").textContent);
const commandNamed = (name) => controls.commands.find((command) => command.name === name);

const program = new Program();
const fabric = new FabricPicture(byId("fabric"));
let scenario = [];  // the words of the command line
let lesson = null;
let timeline = null;
let cycle = 0;
let playing = null;  // {frame, at, cycle}
let reportPage = null;

function say(text, kind = "") {
  byId("status").textContent = text;
  byId("status").className = kind;
}

// The scenario

function specsOf(name) {
  return commandNamed(name)?.options ?? [];
}

function setScenario(words, andRun) {
  scenario = words;
  byId("command-line").value = joinWords(["allport", ...words]);
  const command = commandNamed(words[0]);
  if (command) {
    byId("command").value = command.name;
    byId("command-summary").textContent = command.summary;
    fillControls(byId("first-controls"), byId("other-controls"), command, optionsOf(words, command.options), setOption);
  }
  showFabric();
  putAddress();
  if (andRun) run();
}

function setOption(name, value) {
  let words = withOption(scenario, name, value);
  // A pattern and an algorithm exclude each other; who chooses one means that one.
  if (value !== "" && name === "--algorithm") {
    for (const other of ["--pattern", "--rate", "--cycles"]) words = withOption(words, other, "");
  }
  if (value !== "" && name === "--pattern") {
    words = withOption(words, "--algorithm", "");
    const given = optionsOf(words, specsOf(words[0]));
    if (given["--rate"] === undefined) words = withOption(words, "--rate", "0.1");
    if (given["--cycles"] === undefined) words = withOption(words, "--cycles", "1000");
  }
  const hadFocus = document.activeElement?.id;
  setScenario(words, false);
  const label = [...document.querySelectorAll(".control label")].find((one) => one.textContent === name.slice(2));
  if (hadFocus && label) byId(label.htmlFor)?.focus();
}

function showFabric() {
  stopPlaying();
  timeline = null;
  const text = optionsOf(scenario, specsOf(scenario[0]))["--topology"];
  const topology = readTopology(text);
  const shown = fabric.show(topology);
  if (shown) fabric.draw(0);
  byId("fabric").setAttribute("aria-label", shown ? text + ": " + nodesOf(topology) + " nodes" : "");
  byId("fabric-note").textContent = shown || !topology ? ""
    : "The fabric has " + nodesOf(topology) + " nodes, and is drawn up to 4096.";
  byId("transport").hidden = true;
  byId("now").replaceChildren();
}

function putAddress() {
  const view = {c: joinWords(scenario), lesson: lesson?.name, t: timeline && cycle > 0 ? cycle : ""};
  const hash = writeAddress(view);
  if (hash !== location.hash) {
    try {
      history.replaceState(null, "", hash);
    } catch (error) {
      location.hash = hash;
    }
  }
}

function readFromAddress() {
  const said = readAddress(location.hash);
  const named = lessons.find((one) => one.name === said.lesson);
  showLesson(named ?? (said.c === "" ? lessons[0] : null));
  const text = said.c === "" ? lesson.runs[0].words : said.c;
  wantedCycle = said.t === null ? null : Number(said.t);
  try {
    setScenario(splitWords(text), true);
  } catch (error) {
    byId("command-line").value = text;
    say(error.message, "fault");
  }
}
let wantedCycle = null;

// Lessons

function showLesson(one) {
  lesson = one;
  for (const button of byId("lessons").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(one !== null && button.value === one.name));
  }
  byId("lesson").hidden = one === null;
  if (one === null) return;
  byId("lesson-title").textContent = one.title;
  byId("lesson-text").replaceChildren(...one.sentences.map((sentence) => made("p", {}, sentence)));
  byId("lesson-runs").replaceChildren(...one.runs.map((each) => made("a",
    {href: writeAddress({c: each.words, lesson: one.name}), className: "run-link"}, each.label)));
}

function markRun() {
  const here = joinWords(scenario);
  for (const link of byId("lesson-runs").querySelectorAll("a")) {
    if (readAddress(new URL(link.href).hash).c === here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// A run

let answered = false;

function planWords(words) {
  if (!["run", "explain"].includes(words[0])) return null;
  const given = optionsOf(words, specsOf(words[0]));
  if (given["--algorithm"] === undefined) return null;
  const source = String(given["--source"] ?? "").split(",");
  const one = source.length > 1 ? withOption(words, "--source", source[0]) : words;
  return wordsFor("schedule", one, specsOf(words[0]), specsOf("schedule"));
}

function setRunning(is) {
  byId("cancel").disabled = !is;
  byId("progress").hidden = !is;
  byId("progress").removeAttribute("value");
  document.documentElement.dataset.running = is ? "yes" : "no";
}

function run() {
  markRun();
  putAddress();
  const shortcoming = Program.shortcoming();
  if (shortcoming !== "") return say(shortcoming, "fault");
  clearResults();
  answered = false;
  setRunning(true);
  say(program.module ? "Running \u2026" : "Unpacking the program \u2026");
  const words = scenario;
  program.run(words, planWords(words), hear).catch((error) => {
    setRunning(false);
    say(error.message, "fault");
  });
}

function hear(said) {
  if (said.progress && !answered) {
    const {what, fraction, detail} = said.progress;
    if (fraction >= 0) byId("progress").value = fraction;
    say(what + (fraction >= 0 ? ", " + Math.round(100 * fraction) + " %" : "") + (detail === "" ? "" : ", " + detail));
  }
  if (said.answer) {
    answered = true;  // what follows is the plan, of which nobody waits for news
    showAnswer(said.answer);
  }
  if (said.plan) showPlan(said.plan);
  if (said.fault) say(said.fault, "fault");
  if (said.done || said.fault) setRunning(false);
}

byId("cancel").onclick = () => {
  program.cancel();
  setRunning(false);
  say("Cancelled. Nothing is left of the run.");
};

function clearResults() {
  for (const id of ["sides", "now", "plan"]) byId(id).replaceChildren();
  for (const id of ["results", "plan-part", "report-part"]) byId(id).hidden = true;
  byId("output").textContent = "";
  showFabric();
  if (reportPage !== null) URL.revokeObjectURL(byId("save-report").href);
  reportPage = null;
  byId("report").removeAttribute("srcdoc");
}

const verdicts = ["The run is complete.", "There is a finding.", "This cannot be run as it is given.",
                  "The run is not complete."];

function showAnswer(answer) {
  const reason = answer.err.trim().replace(/^allport: /gm, "");
  const verdict = ["run", "explain"].includes(scenario[0]) ? verdicts[answer.status] : answer.status === 0 ? "Done." : verdicts[answer.status];
  say([verdict, reason].filter((text) => text !== "").join(" "), answer.status === 2 ? "fault" : answer.status === 0 ? "good" : "finding");
  byId("results").hidden = answer.out === "" && answer.results === null;
  byId("output").textContent = answer.out;
  byId("output-part").open = !["run", "explain"].includes(scenario[0]);
  showSides(readReport(answer.out));
  const note = answer.note ? answer.note.trim().replace(/^allport: /, "") : "";
  byId("fabric-note").textContent = note === "" ? byId("fabric-note").textContent : "No moving picture: " + note + ".";
  if (answer.timeline !== null) showTimeline(answer.timeline);
  if (answer.report !== null) showReport(answer.report);
  const digest = answer.results === null ? null : JSON.parse(answer.results).digest;
  document.documentElement.dataset.digest = digest ?? "";
  document.documentElement.dataset.status = answer.status;
}

// Theory and simulation beside each other.
function showSides(lines) {
  const sides = [["The plan alone says", ["theory", "bound", "steps", "static"]],
                 ["The simulation shows", ["latency", "completion", "load", "saturated", "network", "channels", "contention",
                                           "reception", "deadlock", "digest"]]];
  byId("sides").replaceChildren();
  for (const [title, labels] of sides) {
    const rows = labels.filter((label) => lines[label]).map((label) => made("tr", {}, made("th", {scope: "row"}, label),
      made("td", {}, ...lines[label].slice(0, 6).map((text) => made("p", {}, text)))));
    if (rows.length === 0) continue;
    byId("sides").append(made("table", {}, made("caption", {}, title), made("tbody", {}, ...rows)));
  }
}

function showReport(html) {
  reportPage = html;
  byId("report-part").hidden = false;
  byId("save-report").href = URL.createObjectURL(new Blob([html], {type: "text/html"}));
  if (byId("report-part").open) byId("report").srcdoc = html;
}
byId("report-part").ontoggle = () => {
  if (byId("report-part").open && reportPage !== null && !byId("report").hasAttribute("srcdoc")) byId("report").srcdoc = reportPage;
};

function showPlan(answer) {
  const plan = answer.status === 0 ? readPlan(answer.out) : [];
  byId("plan-part").hidden = plan.length === 0;
  if (plan.length === 0) return;
  const tree = plan.length <= 1100 ? treeOf(plan) : null;
  if (tree) return byId("plan").append(made("div", {className: "scroll", tabIndex: 0}, drawTree(tree, byId("plan").clientWidth)));
  const rows = stepsOf(plan).map(([step, messages, words]) => made("tr", {}, made("td", {className: "n"}, String(step)),
    made("td", {className: "n"}, String(messages)), made("td", {}, words)));
  byId("plan").append(made("div", {className: "table", tabIndex: 0}, made("table", {}, made("thead", {}, made("tr", {},
    made("th", {}, "step"), made("th", {}, "messages"), made("th", {}, "from \u2192 to"))), made("tbody", {}, ...rows))));
}

// Worms

const mostRows = 60e6;  // letters of a timeline

function showTimeline(text) {
  if (!fabric.topology) return;
  if (text.length > mostRows) {
    byId("fabric-note").textContent = "The run has too many messages to move here; the page below has densities of them.";
    return;
  }
  timeline = readTimeline(text);
  fabric.timeline = timeline;
  byId("transport").hidden = timeline.cycles === 0;
  byId("cycle").max = timeline.cycles;
  const aim = timeline.cycles / 12;  // the whole run in twelve seconds
  const speeds = [...byId("speed").options].map((option) => Number(option.value));
  byId("speed").value = String(speeds.reduce((a, b) => Math.abs(b - aim) < Math.abs(a - aim) ? b : a));
  const first = timeline.waits[0]?.from ?? Math.floor(timeline.cycles / 2);
  showCycle(wantedCycle !== null && wantedCycle >= 0 ? Math.min(wantedCycle, timeline.cycles) : first);
  wantedCycle = null;
}

function showCycle(at, quietly = false) {
  cycle = Math.max(0, Math.min(Math.round(at), timeline.cycles));
  byId("cycle").value = cycle;
  byId("cycle-text").textContent = "cycle " + cycle + " of " + timeline.cycles;
  fabric.draw(cycle);
  const words = cycleInWords(timeline, cycle);
  if (!quietly) {
    byId("now").replaceChildren(...words.map((line) => made("li", {}, line)));
    byId("fabric").setAttribute("aria-label", "Cycle " + cycle + ": " + words.join("; "));
    putAddress();
  }
}

function stopPlaying() {
  if (playing === null) return;
  cancelAnimationFrame(playing.frame);
  playing = null;
  byId("play").textContent = "Play";
  if (timeline) showCycle(cycle);
}

function play() {
  if (playing !== null) return stopPlaying();
  if (cycle >= timeline.cycles) cycle = 0;
  playing = {at: performance.now(), from: cycle, frame: 0};
  byId("play").textContent = "Pause";
  const step = (now) => {
    if (playing === null) return;
    showCycle(playing.from + (now - playing.at) / 1000 * Number(byId("speed").value), true);
    if (cycle >= timeline.cycles) return stopPlaying();
    playing.frame = requestAnimationFrame(step);
  };
  playing.frame = requestAnimationFrame(step);
}

byId("play").onclick = play;
byId("step").onclick = () => { stopPlaying(); showCycle(cycle + 1); };
byId("back").onclick = () => { stopPlaying(); showCycle(cycle - 1); };
byId("next").onclick = () => { stopPlaying(); showCycle(nextEvent(timeline, cycle, 1)); };
byId("cycle").oninput = () => { stopPlaying(); showCycle(Number(byId("cycle").value)); };
byId("speed").onchange = () => {
  if (playing !== null) Object.assign(playing, {at: performance.now(), from: cycle});
};

// The page

byId("command").append(...controls.commands.map((command) => made("option", {value: command.name}, command.name)));
byId("command").onchange = () => {
  const name = byId("command").value;
  setScenario(wordsFor(name, scenario, specsOf(scenario[0]), specsOf(name)), false);
};
byId("scenario").onsubmit = (event) => {
  event.preventDefault();
  try {
    const words = splitWords(byId("command-line").value);
    if (lesson && !lesson.runs.some((one) => one.words === joinWords(words))) showLesson(null);
    setScenario(words, true);
  } catch (error) {
    say(error.message, "fault");
  }
};
byId("lessons").append(...lessons.map((one) => {
  const button = made("button", {type: "button", value: one.name}, one.title);
  button.onclick = () => {
    showLesson(one);
    setScenario(splitWords(one.runs[0].words), true);
  };
  return made("li", {}, button);
}));
byId("share").onclick = async () => {
  putAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The address of this experiment is copied.");
  } catch (error) {
    say("The address of this page is the experiment: copy it from the browser's address bar.");
  }
};
addEventListener("hashchange", readFromAddress);
addEventListener("resize", () => {
  fabric.resize();
  fabric.draw(cycle);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  fabric.resize();
  fabric.draw(cycle);
});
byId("version").textContent = controls.version;
readFromAddress();
document.documentElement.dataset.drawn = "yes";
