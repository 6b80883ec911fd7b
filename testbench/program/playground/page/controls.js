// Controls made from the options of a command.

// What is asked first; all others are behind a fold, by their table.
const firstOptions = ["--topology", "--algorithm", "--pattern", "--destinations", "--source", "--rate", "--cycles", "--flits",
                      "--ts", "--tr", "--ports", "--vcs"];

function made(name, given = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key in element && key !== "list") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

let controlNumber = 0;

/// The control of an option, with its value; `change(name, value)` hears of another one.
function controlOf(spec, value, change) {
  const id = "control-" + ++controlNumber;
  const say = (text) => change(spec.name, text);
  const words = (spec.words ?? []).filter((word) => word !== "graph:");
  let control;
  if (spec.name === "--topology") {
    const [kind, size] = (value ?? "").split(/:(.*)/s);
    const kinds = made("select", {id});
    for (const word of words) kinds.append(made("option", {value: word, selected: word === kind + ":"}, word.replace(":", "")));
    const sizes = made("input", {value: size ?? "", size: 8, "aria-label": "size of the topology: N, or K x K"});
    const both = () => say(kinds.value + sizes.value);
    const usual = {"hypercube:": "4", "torus:": "8x8", "mesh:": "8x8", "ring:": "8"};
    kinds.onchange = () => {
      sizes.value = usual[kinds.value] ?? "";
      both();
    };
    sizes.onchange = both;
    control = made("span", {className: "pair"}, kinds, sizes);
  } else if (spec.value === "") {
    control = made("input", {id, type: "checkbox", checked: value === true});
    control.onchange = () => say(control.checked);
  } else if (words.length > 0 && !spec.is_list && words.every((word) => !word.endsWith(":"))) {
    control = made("select", {id});
    control.append(made("option", {value: ""}, spec.default === "" ? "\u2013" : "usual: " + spec.default));
    const others = value !== undefined && !words.includes(value) ? [value] : [];
    for (const word of [...words, ...others]) control.append(made("option", {value: word, selected: word === value}, word));
    control.onchange = () => say(control.value);
  } else {
    control = made("input", {id, value: value ?? "", placeholder: spec.default, size: 12});
    if (words.length > 0) {
      control.setAttribute("list", id + "-words");
      control.onchange = () => say(control.value);
      const list = made("datalist", {id: id + "-words"});
      for (const word of words) list.append(made("option", {value: word}));
      control = made("span", {}, control, list);
      control.firstChild.onchange = () => say(control.firstChild.value);
    } else {
      control.onchange = () => say(control.value);
    }
  }
  const label = made("label", {htmlFor: id}, spec.name.slice(2));
  return made("div", {className: "control", title: spec.help}, label, control);
}

/// Fills `first` and `others` with the controls of `command`.
function fillControls(first, others, command, given, change) {
  first.replaceChildren();
  others.replaceChildren();
  const tables = new Map();
  for (const spec of command.options) {
    const control = controlOf(spec, given[spec.name], change);
    if (firstOptions.includes(spec.name)) {
      first.append(control);
      continue;
    }
    const table = spec.table === "" ? "other" : spec.table;
    if (!tables.has(table)) tables.set(table, []);
    tables.get(table).push(made("div", {className: "explained"}, control, made("p", {}, spec.help)));
  }
  for (const [table, list] of tables) {
    const name = table[0].toUpperCase() + table.slice(1);
    others.append(made("fieldset", {}, made("legend", {}, name), ...list));
  }
}
