// The program in a worker: behind createAllport(), which Emscripten writes. A message has the compiled
// module, the words and, if wanted, those of a plan; the answer has what the program said and wrote.

function carryOut(module, given) {
  const said = [[], []];
  const decoded = (letters) => new TextDecoder().decode(new Uint8Array(letters));
  return createAllport({
    noInitialRun: true,
    stdin: () => null,
    stdout: (letter) => said[0].push(letter),
    stderr: (letter) => said[1].push(letter),
    onProgress: (what, fraction, detail) => postMessage({progress: {what, fraction, detail}}),
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  }).then((program) => {
    program.FS.mkdir("/of_page");
    let status, fault = "";
    try {
      status = program.callMain(given);
    } catch (error) {
      status = 3;
      fault = "allport: the page could not carry this out: " + (error.message ?? error) +
        "; it has at most 1 GB of memory, the program itself has what the machine has\n";
    }
    const written = (file) => {
      try {
        program.FS.chmod("/of_page/" + file, 0o600);  // Emscripten's umask leaves it to nobody
        return program.FS.readFile("/of_page/" + file, {encoding: "utf8"});
      } catch (error) {
        return null;  // it is not there
      }
    };
    return {status, out: decoded(said[0]), err: decoded(said[1]) + fault, results: written("results.json"),
            report: written("report.html"), timeline: written("timeline.csv")};
  });
}

// What shows more is tried first. What it refuses, such as a timeline of several trials, may go without.
async function carryOutShown(module, words) {
  let refused = null;
  for (const part of ["timeline", "report", "results"]) {
    const answer = await carryOut(module, ["/of_page", part, ...words]);
    const isLess = refused !== null && answer.status !== 2;
    if (isLess) return {...answer, note: refused.err};
    if (answer.status !== 2) return answer;
    refused = refused ?? answer;
  }
  return refused;
}

onmessage = async (event) => {
  const {module, words, plan} = event.data;
  try {
    const answer = await carryOutShown(module, words);
    postMessage({answer});
    if (plan) postMessage({plan: await carryOut(module, ["/of_page", "results", ...plan])});
    postMessage({done: true});
  } catch (error) {
    postMessage({fault: String(error.message ?? error)});
  }
};
