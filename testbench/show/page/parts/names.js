// Names within sentences. One stands on one line where there is room for it, and where the pictures
// show what it names it leads there.
// A switch has no name here: `switch 11` may be 11 cycles of that cause.
const namePattern = new RegExp([
  "(?:(?:injection|ejection) channel \\d+ of )?(?:(?:injection|ejection|channels|processor) of )?" +
    "node [^\\s,;:.()]+",
  "(?:channel )?[^\\s,;:()>]+ -> [^\\s,;:()]+?(?: \\((?:dimension |[+-]|port |VC )[^()]{0,40}\\))?(?=[\\s,;:.)]|$)",
  "[^\\s,;:()>]+>[^\\s,;:()#]+#\\d+(?:@[^\\s,;:()]+)?",
  "--[a-z][a-z-]+",
].join("|"), "g");

/// What a name in words is the name of, as a pick of the view; null: nothing that is shown.
function pickOfName(words) {
  if (!data.trial) return null;
  if (words.includes(" -> ")) return pickOfArrow(words);
  const node = /node (\S+)$/.exec(words);
  if (node) {
    const found = addressReaders.node(node[1]);
    return typeof found === "string" ? null : found.pick;
  }
  const message = messageNumbers().get(words);
  return message === undefined ? null : {message};
}

/// `channel 5 -> 4 (+x, VC 1)`, or a message `5 -> all`, where there is one of that name.
function pickOfArrow(words) {
  const plain = words.replace(/^channel /, "").replace(/, VC \d+\)$/, ")");
  if (!pickOfArrow.lines) {
    const {lines} = data.trial.fabric;
    pickOfArrow.lines = new Map(lines.map((_, line) => [fabricWords.words(line).replace(/^channel /, ""), line]));
    pickOfArrow.messages = d3.group(messageList, (one) => one.words.replace(/#\d+$/, "").replace(">", " -> "));
  }
  if (pickOfArrow.lines.has(plain)) return {line: pickOfArrow.lines.get(plain)};
  const stuck = stop ? stop.names.indexOf(plain) : -1;
  const message = stuck < 0 ? undefined : messageNumbers().get(stop.keys[stuck]);
  if (message !== undefined) return {message};
  const named = pickOfArrow.messages.get(plain) || [];
  return new Set(named.map((one) => one.words)).size === 1 ? {message: named[0].number} : null;
}

/// The element for a name: a link, or words that only stay together.
function nameElement(words, may_link) {
  const pick = may_link ? pickOfName(words) : null;
  const element = document.createElement(pick ? "a" : "span");
  element.className = "name";
  element.textContent = words;
  if (!pick) return element;
  element.href = "#" + pickAddress(pick).join("&");
  element.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;  // another tab
    event.preventDefault();
    setView({pick});
  });
  return element;
}

/// Makes the names within `root` such elements; in buttons, which lead somewhere themselves, no links.
function markNames(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const {parentElement: parent} = walker.currentNode;
    if (!parent.closest("a, code, pre, table, svg, select, script")) texts.push(walker.currentNode);
  }
  for (const text of texts) {
    const words = text.data;
    const is_button = text.parentElement.closest("button, summary") !== null;
    const is_marked = text.parentElement.classList.contains("name");
    const parts = [];
    let at = 0;
    for (const match of words.matchAll(namePattern)) {
      const element = nameElement(match[0], !is_button);
      // What leads nowhere only stays together, if it is more than a word.
      if (element.tagName !== "A" && (is_marked || !/ -> |^--/.test(match[0]))) continue;
      parts.push(words.slice(at, match.index), element);
      at = match.index + match[0].length;
    }
    if (parts.length > 0) text.replaceWith(...parts, words.slice(at));
  }
}

/// What the page says in words of its own.
function markNamesOfPage() {
  for (const place of document.querySelectorAll(".ran, .numbers, .verdicts, .why, .also, section > p, section > ul")) {
    markNames(place);
  }
}
