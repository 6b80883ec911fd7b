// What the scripts have in common: the data of the page, words, and elements.
const data = JSON.parse(document.getElementById("data").textContent);

/// Draws the picture in a figure, by the figure's id.
const drawers = {};

const number = d3.format(",");

/// `value` with so many decimals, as the program writes it: half-way cases have an even last digit. Of an
/// equal share that was computed another way the last bits may differ: they do not count.
function decimals(value, count) {
  const near = Math.round(value * 1e9) / 1e9;
  const is_half = Math.abs(near * 2 ** (count + 1) % 2) === 1;
  return (is_half ? 2 * Math.round(near * 10 ** count / 2) / 10 ** count : near).toFixed(count);
}

function percent(part, whole) {
  return whole > 0 ? decimals(100 * part / whole, 1) + " %" : "0 %";
}

/// The sum of the numbers in a map.
function totalOf(map) {
  let sum = 0;
  for (const one of map.values()) sum += one;
  return sum;
}

function counted(count, one) {
  return number(count) + " " + one + (count === 1 ? "" : "s");
}

/// An element below `parent`.
function add(parent, tag, words = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = words;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.appendChild(element);
  return element;
}

/// A control with its label.
function addControl(parent, tag, words, attributes = {}) {
  const label = add(parent, "label", words + " ");
  return add(label, tag, "", attributes);
}

/// A choice among [value, words]; `change` is called with the value.
function addChoice(parent, words, options, change) {
  const select = addControl(parent, "select", words);
  for (const [value, text] of options) add(select, "option", text, {value});
  select.addEventListener("change", () => change(select.value));
  return select;
}

function addSwitch(parent, words, is_on, change) {
  const box = addControl(parent, "input", words, {type: "checkbox"});
  box.checked = is_on;
  box.addEventListener("change", () => change(box.checked));
  return box;
}

function addButton(parent, words, press, name = words) {
  const button = add(parent, "button", words, {type: "button", "aria-label": name});
  button.addEventListener("click", press);
  return button;
}

function addSvg(parent, width, height, label) {
  return d3.select(parent).append("svg")
    .attr("viewBox", [0, 0, width, height]).attr("width", width).attr("height", height)
    .attr("role", "img").attr("aria-label", label).style("max-width", "100%");
}

const dimensionNames = "xyzw";

function direction(dimension, sign) {
  if (sign === 0) return "dimension " + dimension;
  const name = dimensionNames[dimension] || "(dimension " + dimension + ")";
  return (sign > 0 ? "+" : "-") + name;
}
