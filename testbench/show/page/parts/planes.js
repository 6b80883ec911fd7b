// Fabrics of many dimensions: as planes of the first two, and as a matrix of all channels.
function stridesOf(sides) {
  let stride = 1;
  return sides.map((side) => (stride *= side) / side);
}

/// The cells of each plane stand as a grid, and the planes as one again, wider than high, or where
/// the screen is narrow higher than wide.
function layOutPlanes({sides, nodes}, is_narrow = false) {
  const width = sides[0], height = sides[1] || 1;
  const planes = nodes.length / (width * height);
  const is_cube = sides.every((side) => side === 2);
  const wide = is_cube ? 2 ** Math.ceil(Math.log2(planes) / 2)
    : Math.ceil(Math.sqrt(planes * 1.7 * height / width));
  const across = is_narrow ? Math.ceil(wide / 2) : wide;
  return nodes.map((_, cell) => {
    const plane = Math.floor(cell / (width * height));
    return [(plane % across) * (width + 1) + cell % width,
            Math.floor(plane / across) * (height + 1.3) + height - 1 -
              Math.floor(cell / width) % height];
  });
}

/// `z 3`, or of a cube the bits beyond the first two: `bits 01..`
function planeInWords(cell, {sides}) {
  if (sides.every((side) => side === 2)) {
    return "bits " + (cell >> 2).toString(2).padStart(sides.length - 2, "0") + "..";
  }
  return sides.map((_, dimension) => dimension < 2 ? ""
    : direction(dimension, 1).slice(1) + " " + coordinate(cell, dimension, sides))
    .filter((words) => words).join(", ");
}

/// The cells in an order in which each is the neighbour of the next: on a hypercube that of Gray.
function neighbourOrder({sides, nodes, names}) {
  if (names) return d3.range(nodes.length);
  const strides = stridesOf(sides);
  return d3.range(nodes.length).map((place) => {
    let cell = 0, is_back = false;
    for (let dimension = sides.length - 1; dimension >= 0; --dimension) {
      const side = sides[dimension];
      const digit = Math.floor(place / strides[dimension]) % side;
      const at = is_back ? side - 1 - digit : digit;
      cell += at * strides[dimension];
      is_back = is_back !== (at % 2 === 1);
    }
    return cell;
  });
}

/// The columns of the matrix: a name, and the line of a cell there, or -1.
function matrixColumns(fabric) {
  const {lines, names} = fabric;
  const columns = new Map();
  lines.forEach(([from, , dimension, sign], line) => {
    const key = dimension + "," + sign;
    if (!columns.has(key)) {
      const words = names ? "port " + dimension : sign === 0 ? "dim " + dimension : direction(dimension, sign);
      columns.set(key, {words, order: 2 * dimension + (sign < 0 ? 1 : 0), lines: new Map()});
    }
    const of = columns.get(key).lines;
    if (!of.has(from)) of.set(from, line);
  });
  const list = [...columns.values()].sort((a, b) => a.order - b.order)
    .map(({words, lines: of}) => ({words, line: (cell) => of.has(cell) ? of.get(cell) : -1}));
  for (const [kind, words] of [["injection", "in"], ["ejection", "out"]]) {
    list.push({words, line: (cell) => fabricWords.isSwitch(cell) ? -1 : fabricWords.first(kind) + cell});
  }
  return list;
}

/// The matrix in bands side by side, each as high as `rows` cells; in pixels.
function layOutMatrix(fabric, width) {
  const columns = matrixColumns(fabric);
  const label = 46;
  const band = (cell) => label + columns.length * cell + 14;
  let bands = Math.max(1, Math.min(Math.ceil(fabric.nodes.length / 16), Math.floor(width / band(22))));
  const rows = Math.ceil(fabric.nodes.length / bands);
  bands = Math.ceil(fabric.nodes.length / rows);
  const wide = Math.max(9, Math.min(60, (width / bands - label - 14) / columns.length));
  const high = Math.max(4, Math.min(16, 620 / rows));
  return {columns, rows, bands, wide, high, label, width: bands * band(wide), height: 22 + rows * high};
}
