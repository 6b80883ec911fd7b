// A command line as words, its options, and the address of the page that has it.

/// The words of `text`, split as a shell splits them; throws a sentence for a quote that stays open.
function splitWords(text) {
  const words = [];
  let word = null, quote = "";
  for (let i = 0; i < text.length; ++i) {
    const letter = text[i];
    if (quote !== "") {
      if (letter === quote) quote = "";
      else word += letter;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      word = word ?? "";
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (letter === "\\" && i + 1 < text.length) {
      word = (word ?? "") + text[++i];
    } else {
      word = (word ?? "") + letter;
    }
  }
  if (quote !== "") throw new Error("The command line has a quotation mark " + quote + " that is not closed.");
  if (word !== null) words.push(word);
  return words[0] === "allport" ? words.slice(1) : words;
}

function joinWords(words) {
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'").join(" ");
}

/// The options of `words`: {name: value}, true where an option has none.
function optionsOf(words, specs) {
  const known = new Map(specs.map((spec) => [spec.name, spec]));
  const given = {};
  for (let i = 1; i < words.length; ++i) {
    const [name, ...rest] = words[i].split("=");
    const spec = known.get(name);
    if (!spec) continue;
    if (rest.length > 0) given[name] = rest.join("=");
    else if (spec.value === "") given[name] = true;
    else if (i + 1 < words.length) given[name] = words[++i];
  }
  return given;
}

/// `words` with option `name` set to `value`, or without it where that is "" or false.
function withOption(words, name, value) {
  const kept = [];
  let at = -1;
  for (let i = 0; i < words.length; ++i) {
    const is = words[i] === name || words[i].startsWith(name + "=");
    if (!is) {
      kept.push(words[i]);
      continue;
    }
    if (at < 0) at = kept.length;
    if (words[i] === name && i + 1 < words.length && !words[i + 1].startsWith("--")) ++i;
  }
  if (value === "" || value === false) return kept;
  const put = value === true ? [name] : [name, value];
  kept.splice(at < 0 ? kept.length : at, 0, ...put);
  return kept;
}

/// Those of `words` that command `name` knows too, which has the options `specs`.
function wordsFor(name, words, allSpecs, specs) {
  const given = optionsOf(words, allSpecs);
  let left = [name];
  for (const spec of specs) {
    if (given[spec.name] !== undefined) left = withOption(left, spec.name, given[spec.name]);
  }
  return left;
}

/// What the address behind # says: {c: command line, t: cycle, lesson}.
function readAddress(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  return {c: said.get("c") ?? "", t: said.get("t"), lesson: said.get("lesson")};
}

function writeAddress(view) {
  const kept = Object.entries(view).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return "#" + new URLSearchParams(kept).toString().replace(/%3A/g, ":").replace(/%2C/g, ",");
}

/// {kind, sides} of a topology in words; null: it is none that is drawn here.
function readTopology(text) {
  const said = /^(hypercube|torus|mesh|ring):([\dx]+)$/.exec(text ?? "");
  if (!said) return null;
  const sides = said[2].split("x").map(Number);
  if (sides.some((side) => !(side >= 1))) return null;
  if (said[1] === "hypercube") return {kind: "hypercube", sides: Array(sides[0]).fill(2)};
  return {kind: said[1], sides};
}

const nodesOf = (topology) => topology.sides.reduce((product, side) => product * side, 1);

/// The lines of a report by their label: {label: [text, ..]}.
function readReport(text) {
  const lines = {};
  let label = "";
  for (const line of text.split("\n")) {
    const begins = /^([a-z]\S*)\s{2,}(\S.*)$/.exec(line);
    if (begins) lines[label = begins[1]] = [begins[2]];
    else if (label !== "" && /^\s{12}\S/.test(line)) lines[label].push(line.trim());
    else label = "";
  }
  return lines;
}
