// The points of a view: runs that differ in their seed alone fold into their mean with its 95 %
// interval, and of the options whose best value counts there is the best.
function meanOf(runs) {
  const values = runs.map((run) => run.value);
  const mean = d3.mean(values);
  if (values.length < 2) return {mean, half: runs[0].half};
  return {mean, half: halfWidth(values)};
}

/// Half the width of Student's interval of the mean of at least two values.
function halfWidth(values) {
  const quantile = data.quantiles[Math.min(values.length - 2, data.quantiles.length - 1)];
  return quantile * d3.deviation(values) / Math.sqrt(values.length);
}

/// Curves {panel, name, points}, of points {at, mean, half, runs, hollow, choice, bound}, and how
/// many points are not shown for want of a number.
function pointsOf(view) {
  const place = (key) => data.keys.indexOf(key);
  const column = (name) => name === undefined ? -1 : data.keys.length + data.columns.indexOf(name);
  const x = place(view.x), seed = place("seed"), y = column(view.y);
  const half = column(data.intervals[view.y]), bound = column(data.bounds[view.y]);
  const saturated = ["traffic.saturated", "load.saturated"].filter((name) => data.columns.includes(name))
    .map(column);
  const panels = view.of("panel"), colours = view.of("colour"), bests = view.of("best");
  const fixed = view.of("fixed").map((key) => [place(key), view.fixed[key]]);
  const failed = new Set(data.failed);
  const curves = new Map();
  let missing = 0, broken = 0;
  data.rows.forEach((row, i) => {
    if (fixed.some(([key, value]) => row[key] !== value)) return;
    if (failed.has(i)) return void ++broken;
    if (row[y] === null) return void ++missing;
    const panel = view.words(panels, row), name = view.words(colours, row) || view.y;
    const id = panel + "\n" + name;
    if (!curves.has(id)) curves.set(id, {panel, name, choices: new Map()});
    const choice = view.words(bests, row), {choices} = curves.get(id);
    if (!choices.has(choice)) choices.set(choice, new Map());
    const points = choices.get(choice);
    if (!points.has(row[x])) points.set(row[x], []);
    points.get(row[x]).push({
      value: row[y], seed: seed < 0 || x === seed ? "" : row[seed],
      half: half < 0 || row[half] === null ? 0 : row[half],
      bound: bound < 0 ? null : row[bound],
      isSaturated: saturated.some((one) => row[one] === 1),
    });
  });
  const better = view.isMoreBetter() ? (a, b) => a > b : (a, b) => a < b;
  const list = [...curves.values()].map(({panel, name, choices}) => {
    const points = new Map();
    for (const [choice, at_all] of choices) {
      for (const [at, runs] of at_all) {
        const point = {at, ...meanOf(runs), runs, choice,
                       hollow: 2 * runs.filter((run) => run.isSaturated).length > runs.length,
                       bound: d3.mean(runs, (run) => run.bound)};
        if (!points.has(at) || better(point.mean, points.get(at).mean)) points.set(at, point);
      }
    }
    return {panel, name, points: [...points.values()]};
  });
  return {curves: list, missing, broken, better};
}

/// What is known of the difference of two points: that of runs with equal seeds, if they have them,
/// or of their intervals. `half` is null if there are none.
function differenceOf(a, b) {
  const seeds = new Map(a.runs.map((run) => [run.seed, run.value]));
  const isPaired = a.runs.length > 1 && a.runs.length === b.runs.length &&
    seeds.size === a.runs.length && b.runs.every((run) => seeds.has(run.seed));
  const margin = Math.abs(a.mean - b.mean);
  if (isPaired) return {margin, half: halfWidth(b.runs.map((run) => run.value - seeds.get(run.seed)))};
  const half = Math.hypot(a.half, b.half);
  return {margin, half: half > 0 ? half : null};
}

/// For each panel and place of the axis, in order: the best curve, the next one, and their margin.
function winnersOf({curves, better}, axis) {
  const panels = [...new Set(curves.map((curve) => curve.panel))];
  return panels.flatMap((panel) => [...axis.places].sort((a, b) => a[1] - b[1]).map(([at, x]) => {
    const there = curves.filter((curve) => curve.panel === panel)
      .map((curve) => ({name: curve.name, point: curve.points.find((point) => point.at === at)}))
      .filter((one) => one.point);
    there.sort((a, b) => better(a.point.mean, b.point.mean) ? -1 : better(b.point.mean, a.point.mean) ? 1 : 0);
    const [best, next] = there;
    return {panel, at, x, best, next, ...(next ? differenceOf(best.point, next.point) : {})};
  }).filter((one) => one.best));
}

/// The same in sentences.
function winnerSentences(winners, view, axis) {
  const contested = winners.filter((one) => one.next);
  if (winners.length === 0) return ["No point has a number here."];
  const best = view.isMoreBetter() ? "the most" : "the least";
  if (contested.length === 0) return ["There is one curve: nothing is compared."];
  const sentences = [];
  const won = contested.filter((one) => one.margin > 0);
  const names = new Set(won.map((one) => one.best.name));
  if (won.length === 0) {
    sentences.push("The best curves have equal " + view.y + " everywhere.");
  } else if (names.size === 1 && won.length === contested.length) {
    sentences.push(won[0].best.name + " has " + best + " " + view.y + " at all " +
      counted(won.length, "place") + " of " + view.x + (view.of("panel").length > 0 ? ", in all panels" : "") + ".");
  } else {
    const panels = [...new Set(contested.map((one) => one.panel))];
    for (const panel of panels.slice(0, 8)) {
      sentences.push((panel === "" ? "The " : panel + ", the ") + best.slice(4) + " " + view.y + ": " +
        stretchesInWords(contested.filter((one) => one.panel === panel), axis) + ".");
    }
    if (panels.length > 8) sentences.push("The table has " + counted(panels.length - 8, "more panel") + ".");
  }
  const tied = contested.length - won.length;
  if (tied > 0 && won.length > 0) sentences.push("At " + counted(tied, "place") + " the best two are equal.");
  if (won.length === 0) return sentences;
  const share = (one) => one.margin / Math.abs(one.next.point.mean || 1);
  const closest = won.reduce((a, b) => share(b) < share(a) ? b : a);
  sentences.push("The closest is " + (closest.panel === "" ? "" : closest.panel + ", ") + view.x + " " + axis.words(closest.at) + ": " +
    inWords(closest.best.point.mean) + " of " + closest.best.name + " against " +
    inWords(closest.next.point.mean) + " of " + closest.next.name + ", a margin of " +
    briefly(closest.margin) + " (" + percent(closest.margin, Math.abs(closest.next.point.mean)) + "), " +
    chanceInWords(closest) + ".");
  const measured = won.filter((one) => one.half !== null);
  if (measured.length > 1) {
    const clear = measured.filter((one) => one.margin > one.half).length;
    sentences.push((clear === measured.length ? "All " : clear + " of ") +
      counted(measured.length, "margin") + (clear === 1 && measured.length !== 1 ? " is" : " are") +
      " larger than the 95 % interval of the difference.");
  }
  return sentences;
}

function briefly(value) { return value < 1000 ? d3.format(",.3~r")(value) : inWords(Math.round(value)); }

function chanceInWords({margin, half}) {
  if (half === null) return "of single runs, which have no interval";
  return margin > half
    ? "larger than the 95 % interval of the difference, \u00b1 " + briefly(half)
    : "within the 95 % interval of the difference, \u00b1 " + briefly(half) + ": it may be chance";
}

/// `tree up to 4 KiB, swing at 64 KiB, bucket from 1 MiB on`
function stretchesInWords(winners, axis) {
  const name = (one) => one.margin > 0 ? one.best.name
    : [one.best.name, one.next.name].sort().join(" or ");
  if (!axis.areNumbers) {
    const places = new Map();
    for (const one of winners) places.set(name(one), [...(places.get(name(one)) || []), one]);
    return [...places].map(([who, list]) => who + " at " + list.map((one) => axis.words(one.at)).join(", ")).join("; ");
  }
  const stretches = [];
  for (const one of winners) {
    const last = stretches[stretches.length - 1];
    if (last && last.name === name(one)) last.to = one.at;
    else stretches.push({name: name(one), from: one.at, to: one.at});
  }
  return stretches.map((one, i) => one.name + (
    stretches.length === 1 ? ""
      : i === 0 ? " up to " + axis.words(one.to)
        : i + 1 === stretches.length ? " from " + axis.words(one.from) + " on"
          : one.from === one.to ? " at " + axis.words(one.from)
            : " from " + axis.words(one.from) + " to " + axis.words(one.to))).join(", ");
}
