// Where the cells of a fabric are drawn, and the ways of the lines between them.
/// Cells in a plane: dimensions 0, 2, .. go to the right and 1, 3, .. upwards, each pair as a grid
/// of what the pairs before it are; a ring is a circle.
function layOut(fabric) {
  if (fabric.names) return layOutGraph(fabric);
  const {sides, wraps, nodes} = fabric;
  if (sides.length === 1 && wraps && sides[0] > 2) {
    const radius = sides[0] / (2 * Math.PI);
    return nodes.map((_, i) => {
      const angle = 2 * Math.PI * i / sides[0];
      return [radius * Math.sin(angle), -radius * Math.cos(angle)];
    });
  }
  const steps = [];
  const extents = [0, 0];
  sides.forEach((side, dimension) => {
    const axis = dimension % 2;
    const step = extents[axis] + 1 + .7 * Math.floor(dimension / 2);
    steps.push(step);
    extents[axis] += step * (side - 1);
  });
  return nodes.map((_, cell) => {
    const place = [0, 0];
    let rest = cell;
    sides.forEach((side, dimension) => {
      place[dimension % 2] += (dimension % 2 === 0 ? 1 : -1) * steps[dimension] * (rest % side);
      rest = Math.floor(rest / side);
    });
    return place;
  });
}

/// Routers of a graph where its file has them; or on their levels, the processors below; or pulled
/// together by their links and pushed apart, so that the mean link is as long as on a grid.
function layOutGraph(fabric) {
  if (fabric.levels) return layOutLevels(fabric.levels);
  const places = fabric.places ? fabric.places.map(([x, y]) => [x, -y]) : pulled(fabric);
  const mean = d3.mean(fabric.lines, ([from, to]) =>
    Math.hypot(places[to][0] - places[from][0], places[to][1] - places[from][1]));
  return places.map(([x, y]) => [1.4 * x / (mean || 1), 1.4 * y / (mean || 1)]);
}

function layOutLevels(levels) {
  const rows = d3.group(d3.range(levels.length), (cell) => levels[cell]);
  const width = d3.max(rows.values(), (cells) => cells.length);
  const heights = new Map([...rows.keys()].sort(d3.ascending).map((level, row) => [level, row]));
  const places = [];
  for (const [level, cells] of rows) {
    cells.forEach((cell, i) => {
      places[cell] = [(i + .5) * width / cells.length, -heights.get(level) * Math.max(2, width / 6)];
    });
  }
  return places;
}

function pulled({lines, nodes}) {
  const cells = nodes.map(() => ({}));
  const links = lines.filter(([from, to]) => from < to).map(([source, target]) => ({source, target}));
  d3.forceSimulation(cells)
    .force("links", d3.forceLink(links).distance(1).strength(.7))
    .force("charge", d3.forceManyBody().strength(-.6).distanceMin(.3))
    .force("x", d3.forceX().strength(.02)).force("y", d3.forceY().strength(.02))
    .stop().tick(nodes.length > 1000 ? 60 : 400);
  return cells.map(({x, y}) => [x, y]);
}

/// Which of the lines between the same two cells it is, from 0.
function laneOf(line, fabric) {
  if (!fabric.lanes) {
    const seen = new Map();
    fabric.lanes = fabric.lines.map(([from, to]) => {
      const lane = seen.get(from + "," + to) || 0;
      seen.set(from + "," + to, lane + 1);
      return lane;
    });
  }
  return fabric.lanes[line];
}

/// The course of a line, [begin, bend or null, end] once or twice: at the right of the way back; bent
/// where it passes other cells; two stubs where it closes a ring.
function courseOf(line, fabric, places) {
  const [from, to, dimension, sign] = fabric.lines[line];
  const [x0, y0] = places[from];
  const [x1, y1] = places[to];
  const far = Math.hypot(x1 - x0, y1 - y0);
  const is_circle = fabric.sides.length === 1 && fabric.wraps;
  const closes = fabric.wraps && !is_circle && fabric.sides[dimension] > 1 && closesRing(line, fabric);
  let [dx, dy] = [(x1 - x0) / far, (y1 - y0) / far];
  if (closes) [dx, dy] = [-dx, -dy];
  const lane = fabric.names ? .07 * (1 + laneOf(line, fabric)) : .07;
  const [px, py] = [-dy * lane, dx * lane];
  const at = (x, y) => [x + px, y + py];
  const out = .2;
  const start = at(x0 + dx * out, y0 + dy * out), end = at(x1 - dx * out, y1 - dy * out);
  if (closes) {
    return [[start, null, at(x0 + dx * .5, y0 + dy * .5)], [at(x1 - dx * .5, y1 - dy * .5), null, end]];
  }
  if (far < 1.2 || fabric.names) return [[start, null, end]];
  const is_back = sign < 0 || (sign === 0 && from > to);
  const bend = .16 * far * (is_back ? -1.25 : 1);
  return [[start, at((x0 + x1) / 2 - dy * bend, (y0 + y1) / 2 + dx * bend), end]];
}

function wayOf(line, fabric, places) {
  const at = ([x, y]) => x.toFixed(3) + "," + y.toFixed(3);
  return courseOf(line, fabric, places).map(([start, bend, end]) =>
    "M" + at(start) + (bend ? "Q" + at(bend) + " " : "L") + at(end)).join("");
}

const arrowLength = .11;

/// The heads of arrows on a line: triangles that point where it leads.
function arrowsOf(line, fabric, places) {
  const along = .6;  // of the way
  return courseOf(line, fabric, places).map(([start, bend, end]) => {
    const middle = bend || [0, 1].map((i) => (start[i] + end[i]) / 2);
    const [x, y] = [0, 1].map((i) => (1 - along) ** 2 * start[i] + 2 * along * (1 - along) * middle[i] +
      along ** 2 * end[i]);
    const way = [0, 1].map((i) => (1 - along) * (middle[i] - start[i]) + along * (end[i] - middle[i]));
    const far = Math.hypot(...way) || 1;
    const [dx, dy] = way.map((part) => part / far * arrowLength / 2);
    const wide = .85;
    const at = (ahead, aside) => (x + ahead * dx - aside * dy).toFixed(3) + "," + (y + ahead * dy + aside * dx).toFixed(3);
    return "M" + at(1, 0) + "L" + at(-1, wide) + "L" + at(-1, -wide) + "Z";
  }).join("");
}

function coordinate(cell, dimension, sides) {
  for (let i = 0; i < dimension; ++i) cell = Math.floor(cell / sides[i]);
  return cell % sides[dimension];
}

function closesRing(line, {lines, sides}) {
  const [from, to, dimension, sign] = lines[line];
  const step = coordinate(to, dimension, sides) - coordinate(from, dimension, sides);
  return sign !== 0 && Math.sign(step) !== sign;
}
