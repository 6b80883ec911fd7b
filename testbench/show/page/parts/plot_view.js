// What a picture of many points shows: each option that varies is the axis, has a panel for each of
// its values, or a curve for each, counts with its best value, or stays at one value.
class PlotView {
  constructor() {
    const {view} = data;
    this.values = new Map(data.keys.map((key, i) => [key, [...new Set(data.rows.map((row) => row[i]))]]));
    this.x = view.x;
    this.y = data.columns.includes(view.y) ? view.y : data.columns[0];
    this.roles = new Map();  // of each key but x and those that follow it or are folded
    const role_of = (key) => view.panel === key ? "panel" : view.best.includes(key) ? "best"
      : key in view.fixed ? "fixed" : "colour";
    for (const key of data.keys) this.roles.set(key, role_of(key));
    this.fixed = {...view.fixed};
    this.log = {x: null, y: null};  // null: as it suits the numbers
    this.more = null;               // null: as it suits the column
    this.hidden = new Set();
  }

  /// The keys whose role somebody chooses.
  free() {
    const tied = data.zipped.find((keys) => keys.includes(this.x)) || [];
    return data.keys.filter((key) => key !== this.x && key !== "seed" && !tied.includes(key));
  }
  of(role) { return this.free().filter((key) => this.roles.get(key) === role); }
  isMoreBetter() { return this.more === null ? data.more_is_better.includes(this.y) : this.more; }

  /// The key that was the axis takes the place of the one that becomes it.
  setX(key) {
    if (key === this.x) return;
    this.roles.set(this.x, this.roles.get(key));
    if (this.roles.get(key) === "fixed") this.fix(this.x, this.middle(this.x));
    this.x = key;
    this.keepOnePanel(this.of("panel")[0]);
  }
  setRole(key, role, value) {
    const before = this.roles.get(key);
    if (role === "panel") {
      for (const other of this.of("panel")) {
        if (other !== key) this.roles.set(other, before === "fixed" ? "colour" : before);
      }
    }
    this.roles.set(key, role);
    if (role === "fixed") this.fix(key, value);
  }
  fix(key, value) { this.fixed[key] = value; }
  middle(key) { return this.values.get(key)[Math.floor(this.values.get(key).length / 2)]; }
  keepOnePanel(kept) {
    for (const key of this.of("panel")) {
      if (key !== kept) this.roles.set(key, "colour");
    }
  }

  /// The view as pairs of the address, and back. What makes no sense is told in words.
  pairs() {
    const pairs = [["x", this.x], ["y", this.y]];
    for (const role of ["colour", "panel", "best"]) {
      const keys = this.of(role);
      if (keys.length > 0) pairs.push([role, keys.join(",")]);
    }
    for (const key of this.of("fixed")) pairs.push(["only." + key, this.fixed[key]]);
    for (const axis of ["x", "y"]) {
      if (this.log[axis] !== null) pairs.push(["log" + axis, this.log[axis] ? "1" : "0"]);
    }
    if (this.more !== null) pairs.push(["best-is", this.more ? "most" : "least"]);
    for (const name of this.hidden) pairs.push(["hide", name]);
    return pairs;
  }

  use(pairs) {
    const problems = [];
    const named = (wanted) => pairs.filter(([name]) => name === wanted);
    const known = ["x", "y", "colour", "panel", "best", "logx", "logy", "best-is", "hide"];
    for (const [, key] of named("x")) {
      if (data.keys.includes(key)) this.setX(key); else problems.push(["x", key, "names no option here"]);
    }
    for (const [, column] of named("y")) {
      if (data.columns.includes(column)) this.y = column;
      else problems.push(["y", column, "names no column here"]);
    }
    const free = this.free();
    for (const role of ["panel", "colour", "best"]) {
      for (const [, keys] of named(role)) {
        for (const key of keys.split(",")) {
          if (free.includes(key)) this.setRole(key, role);
          else problems.push([role, key, key === this.x ? "is on the x axis" : "names no option to choose here"]);
        }
      }
    }
    const yes_or_no = {0: false, 1: true};
    for (const [name, value] of pairs) {
      if (name.startsWith("only.")) {
        const key = name.slice(5);
        if (!free.includes(key)) problems.push([name, value, "names no option to choose here"]);
        else if (!this.values.get(key).includes(value)) problems.push([name, value, "names no value here"]);
        else this.setRole(key, "fixed", value);
      } else if (name === "logx" || name === "logy") {
        if (value in yes_or_no) this.log[name[3]] = yes_or_no[value];
        else problems.push([name, value, "is neither 0 nor 1"]);
      } else if (name === "best-is") {
        if (value === "least" || value === "most") this.more = value === "most";
        else problems.push([name, value, "is neither least nor most"]);
      } else if (name === "hide") {
        this.hidden.add(value);
      } else if (!known.includes(name)) {
        problems.push([name, value, "is nothing that a view has"]);
      }
    }
    return ignoredPairs(problems);
  }

  /// `vcs 2, ports all`, of a row. The name of an algorithm stands alone.
  words(keys, row) {
    if (keys.length === 1 && keys[0] === "algorithm") return row[data.keys.indexOf("algorithm")];
    return keys.map((key) => key + " " + valueInWords(key, row[data.keys.indexOf(key)])).join(", ");
  }
}

function valueInWords(key, text) {
  return data.bytes.includes(key) && isNumeric(text) ? bytesInWords(Number(text)) : text;
}

function bytesInWords(bytes) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  for (; unit < 3 && bytes >= 1024; ++unit) bytes /= 1024;
  return d3.format(",.4~r")(bytes) + " " + units[unit];
}

/// A number as people read it.
function inWords(value) {
  return Math.abs(value) >= 1e5 ? d3.format(",.0f")(value) : d3.format(",.5~r")(value);
}

const isNumeric = (text) => text.trim() !== "" && Number.isFinite(Number(text));

/// Where the values of a key lie on an axis: numbers, alone or behind one word, at their value,
/// others in their order.
function axisOf(key, texts) {
  const word = texts[0].slice(0, texts[0].lastIndexOf(":") + 1);
  const rest = (text) => text.slice(word.length);
  const areNumbers = texts.every((text) => text.startsWith(word) && isNumeric(rest(text)));
  const isBytes = data.bytes.includes(key);
  const places = new Map(texts.map((text, i) => [text, areNumbers ? Number(rest(text)) : i]));
  const words = (text) => isBytes && areNumbers ? bytesInWords(places.get(text)) : areNumbers ? rest(text) : text;
  const sorted = [...places.values()].sort(d3.ascending);
  const step = sorted[1] - sorted[0];
  const isEven = sorted.every((value, i) => i === 0 ||
    Math.abs(value - sorted[i - 1] - step) <= 1e-9 * Math.abs(sorted[sorted.length - 1]));
  return {key, places, words, areNumbers, isBytes,
          label: areNumbers && word !== "" ? key + " " + word + ".." : key,
          canBeLog: areNumbers && sorted[0] > 0,
          suitsLog: areNumbers && sorted.length > 2 && sorted[0] > 0 && !isEven &&
            sorted[sorted.length - 1] >= 16 * sorted[0],
          format: (value) => isBytes ? bytesInWords(value) : inWords(value)};
}
