// A plan (the lines of `allport schedule`) as a tree, or as steps where it is none.

/// [{u, v, step, order}, ..]; v is null for a worm to all.
function readPlan(text) {
  return text.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line))
    .filter((line) => line.u !== undefined).map((line) => ({...line, v: line.v ?? null}));
}

/// The tree of a plan, {node, step, children}; null: it is none.
function treeOf(plan) {
  const nodes = new Map();
  const at = (node) => {
    if (!nodes.has(node)) nodes.set(node, {node, step: 0, children: [], has: false});
    return nodes.get(node);
  };
  for (const {u, v, step, order, blocks} of plan) {
    if (v === null || v === undefined || (blocks && blocks.length !== 1)) return null;
    const child = at(v);
    if (child.has) return null;  // a node that receives twice
    Object.assign(child, {has: true, step, order});
    at(u).children.push(child);
  }
  const roots = [...nodes.values()].filter((node) => !node.has);
  if (roots.length !== 1) return null;
  for (const node of nodes.values()) node.children.sort((a, b) => a.order - b.order);
  let leaves = 0, deepest = 0, seen = 0;
  const place = (node, depth) => {
    ++seen;
    deepest = Math.max(deepest, node.step);
    for (const child of node.children) place(child, depth + 1);
    node.x = node.children.length === 0 ? leaves++
      : (node.children[0].x + node.children[node.children.length - 1].x) / 2;
  };
  place(roots[0], 0);
  return seen === nodes.size ? {root: roots[0], leaves, steps: deepest} : null;
}

const drawing = "http://www.w3.org/2000/svg";
function drawn(name, given, text) {
  const element = document.createElementNS(drawing, name);
  for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function drawTree(tree, wide) {
  const gap = Math.max(22, Math.min(60, (wide - 90) / Math.max(tree.leaves - 1, 1)));
  const row = 46, left = 56, top = 16;
  const width = left + gap * Math.max(tree.leaves - 1, 0) + 30, height = top + row * tree.steps + 22;
  const svg = drawn("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `The plan as a tree: ${tree.steps} steps from node ${tree.root.node}.`});
  for (let step = 0; step <= tree.steps; ++step) {
    svg.append(drawn("text", {x: 0, y: top + row * step + 4, class: "quiet"}, step === 0 ? "source" : "step " + step));
  }
  const lines = drawn("g", {class: "branches"}), dots = drawn("g", {class: "dots"});
  const at = (node) => [left + gap * node.x, top + row * node.step];
  const add = (node) => {
    const [x, y] = at(node);
    for (const child of node.children) {
      const [X, Y] = at(child);
      lines.append(drawn("path", {d: `M${x} ${y}C${x} ${(y + Y) / 2} ${X} ${(y + Y) / 2} ${X} ${Y}`}));
      add(child);
    }
    dots.append(drawn("circle", {cx: x, cy: y, r: 10}), drawn("text", {x, y: y + 3.5}, node.node));
  };
  add(tree.root);
  svg.append(lines, dots);
  return svg;
}

/// The steps of a plan: [[step, messages, words], ..].
function stepsOf(plan) {
  const steps = new Map();
  for (const one of plan) {
    if (!steps.has(one.step)) steps.set(one.step, []);
    steps.get(one.step).push(one.u + " \u2192 " + (one.v ?? "all"));
  }
  const shown = 24;
  return [...steps].sort((a, b) => a[0] - b[0]).map(([step, messages]) => [step, messages.length,
    messages.slice(0, shown).join(", ") + (messages.length > shown ? ", \u2026" : "")]);
}
