// The program: unpacked once, and carried out in a worker of its own for each run.

class Program {
  constructor(tell) {
    this.tell = tell;
    this.worker = null;
  }

  /// Why this browser cannot run it; "": it can.
  static shortcoming() {
    if (typeof WebAssembly !== "object") {
      return "This browser has no WebAssembly, in which the program is compiled; lessons and pictures of fabrics can be read, and nothing can be run.";
    }
    if (typeof Worker !== "function" || typeof DecompressionStream !== "function") {
      return "This browser is too old for the playground: it needs workers and DecompressionStream, which browsers have since 2023.";
    }
    return "";
  }

  /// Loads and compiles it; once.
  open() {
    if (!this.opened) this.opened = this.load();
    return this.opened;
  }

  async load() {
    await new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = "allport.js";
      script.onload = resolve;
      script.onerror = () => reject(new Error("The file allport.js, which has the program, is not beside this page."));
      document.head.append(script);
    });
    const packed = Uint8Array.from(atob(allportProgram.wasm), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    try {
      this.module = await WebAssembly.compile(bytes);
    } catch (error) {
      throw new Error("This browser is too old for the playground: its WebAssembly has no exceptions, which browsers have since 2022.");
    }
    this.source = URL.createObjectURL(new Blob([allportProgram.worker], {type: "text/javascript"}));
    allportProgram.wasm = "";
  }

  /// Carries out `words` and, if there are any, the words of a plan. `hear` is called with {progress},
  /// {answer}, {plan}, {done} and {fault}.
  async run(words, plan, hear) {
    this.stop();
    const number = this.number = (this.number ?? 0) + 1;
    await this.open();
    if (number !== this.number) return;
    const worker = this.worker = new Worker(this.source);
    worker.onmessage = (event) => {
      if (worker !== this.worker) return;
      if (event.data.done || event.data.fault) this.stop();
      hear(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker !== this.worker) return;
      this.stop();
      hear({fault: event.message ?? "the worker failed"});
    };
    worker.postMessage({module: this.module, words, plan});
  }

  /// Ends what runs; whether something did.
  stop() {
    const ran = this.worker !== null;
    if (ran) this.worker.terminate();
    this.worker = null;
    return ran;
  }
  cancel() {
    this.number = (this.number ?? 0) + 1;
    return this.stop();
  }
}
