// Where the cells of a fabric are drawn, and the ways of the lines between them.
/// Cells in a plane: dimensions 0, 2, .. go to the right and 1, 3, .. upwards, each pair as a grid
/// of what the pairs before it are; a ring is a circle.
function layOut({sides, wraps, nodes}) {
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

/// The way of a line: at the right of the way back; bent where it passes other cells; two stubs
/// where it closes a ring.
function wayOf(line, fabric, places) {
  const [from, to, dimension, sign] = fabric.lines[line];
  const [x0, y0] = places[from];
  const [x1, y1] = places[to];
  const far = Math.hypot(x1 - x0, y1 - y0);
  const is_circle = fabric.sides.length === 1 && fabric.wraps;
  const closes = fabric.wraps && !is_circle && fabric.sides[dimension] > 1 && closesRing(line, fabric);
  let [dx, dy] = [(x1 - x0) / far, (y1 - y0) / far];
  if (closes) [dx, dy] = [-dx, -dy];
  const [px, py] = [-dy * .07, dx * .07];
  const at = (x, y) => (x + px).toFixed(3) + "," + (y + py).toFixed(3);
  const out = .2;
  if (closes) {
    return "M" + at(x0 + dx * out, y0 + dy * out) + "L" + at(x0 + dx * .5, y0 + dy * .5) +
      "M" + at(x1 - dx * .5, y1 - dy * .5) + "L" + at(x1 - dx * out, y1 - dy * out);
  }
  const start = at(x0 + dx * out, y0 + dy * out);
  const end = at(x1 - dx * out, y1 - dy * out);
  if (far < 1.2) return "M" + start + "L" + end;
  const bend = .16 * far * (sign < 0 || (sign === 0 && from > to) ? 1.25 : 1);
  const side = sign < 0 || (sign === 0 && from > to) ? -1 : 1;
  return "M" + start + "Q" + at((x0 + x1) / 2 - dy * bend * side, (y0 + y1) / 2 + dx * bend * side) +
    " " + end;
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
