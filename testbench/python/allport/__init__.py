# SPDX-License-Identifier: Apache-2.0
"""The program allport from Python: scenarios in, results out, both as dictionaries.

A scenario is a dictionary of tables, as in a scenario file; options given by name overrule it, as on
the command line:

    import allport

    cube = {"fabric": {"topology": "hypercube:6"}, "traffic": {"algorithm": "wsort"}}
    results = allport.run(cube, destinations="random:20", ts=50)
    print(results["latency"]["max"])

What the results hold is in `allport.schema("run")`, and in the user guide. The program is found by
the variable ALLPORT, or else on the PATH. A command that it refuses raises WrongUse, one that it could
not complete Incomplete, one with a finding Finding; each says the program's own sentence.

`allport.Network` is a network that a loop of your own drives message by message; it needs NumPy, and not the
program.
"""

import json
import os
import subprocess
import tempfile

from . import _files
from ._graph import Graph
from ._results import Results, Rows

__all__ = ["run", "explain", "compare", "whatif", "diff", "check", "sweep", "schema", "version", "Network", "Graph", "Results", "Rows",
           "Error", "WrongUse", "Incomplete", "Finding"]


def __getattr__(name):
    if name != "Network":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ._network import Network

    globals()["Network"] = Network
    return Network


def __dir__():
    return sorted({*globals(), "Network"})


class Error(Exception):
    """The program's sentence; `status` is its exit status, `results` what it printed, or None."""

    def __init__(self, sentence, status, results=None):
        super().__init__(sentence)
        self.status = status
        self.results = results

    def __reduce__(self):
        return type(self), (str(self), self.status, self.results), self.__dict__


class WrongUse(Error, ValueError):
    """The scenario, an option or the argument of a call is wrong (status 2).

    `sent`: where Network.send refuses a message of an array, the numbers of those before it, which are sent.
    """

    sent = None


class Incomplete(Error):
    """The command could not be completed: a deadlock, an interrupt, failed runs (status 3)."""


class Finding(Error):
    """The command has a finding: contention under `strict`, or another router that differs (status 1)."""


def run(scenario=None, **options):
    """Simulates a scenario and returns the Results of `allport run`, a dictionary."""
    return _run("run", scenario, options)


def explain(scenario=None, **options):
    """Simulates a scenario and returns its Results, a dictionary, with the cause of every cycle."""
    return _run("explain", scenario, options)


def compare(scenario=None, **options):
    """Returns a row for each algorithm, or with `sizes` the rows of each length."""
    return _results("compare", scenario, options)


def whatif(scenario=None, **options):
    """Tries what would help a run and returns what `allport whatif` found, a dictionary, the best row first;
    with `broken=K` the losses of K links at a time, the worst first.

    The command lines of its rows have the keys of the scenario as options.
    """
    given = {}
    if scenario is not None:
        _toml(scenario)  # which says what is wrong with it
        for keys in scenario.values():
            given.update(keys)
    return _results("whatif", None, {**given, **options})


def diff(a, b):
    """Returns what `allport diff` says of two results: each what a call returned, or the name of a file of `--json`."""
    with tempfile.TemporaryDirectory(prefix="allport.") as folder:
        names = []
        for name, result in (("A", a), ("B", b)):
            if isinstance(result, (str, os.PathLike)):
                names.append(os.fspath(result))
                continue
            names.append(os.path.join(folder, name + ".json"))
            with open(names[-1], "w", encoding="utf-8") as file:
                file.write(_dumped(result, f"diff: {name}"))
            _files.call(names[-1], name)
        try:
            return _json(_call(["diff", *names, "--json=-"], good=(0, 1)))
        finally:
            for name in names:
                _files.forget(name)


def check(schedule=None, **options):
    """Returns the verdicts of `allport check`, also where a check fails.

    `schedule`: the name of a file, or a list of messages as dictionaries, or None with `algorithm`
    or `faults`.
    """
    text = None
    words = ["check"]
    if schedule is not None and not isinstance(schedule, (str, os.PathLike)):
        try:
            messages = iter(schedule)
        except TypeError:
            raise WrongUse("check: a schedule must be the name of a file or a list of messages, not "
                           f"{schedule!r}", 2) from None
        text = "".join(_dumped(message, "check: a message") + "\n" for message in messages)
        words.append("-")
    elif schedule is not None:
        words.append(os.fspath(schedule))
    return _json(_call(words + ["--json=-"] + _words(options), text, good=(0, 1)))


def sweep(grid=None, output=None, **options):
    """Runs a grid and returns Rows, a list with a row for each point, in the order of the grid.

    `output`: the folder of the sweep, which can be resumed; None: one that is removed. A row is as the
    lines of results.jsonl: `point`, `name`, `exit`, `error`, `config` and `result`. Points that failed are rows,
    too, with their `error`.
    """
    if output is None:
        with tempfile.TemporaryDirectory(prefix="allport.") as folder:
            return sweep(grid, os.path.join(folder, "sweep"), **options)
    if not isinstance(output, (str, os.PathLike)):
        raise WrongUse(f"output must be the name of a folder, not {output!r}", 2)
    table = os.path.join(output, "results.jsonl")
    before = _stamp(table)
    with _File(grid, "the grid") as file:
        end = _end(["sweep", *file.words, "--output=" + os.fspath(output), *_words(options)])
        if end.returncode != 0 and _stamp(table) == before:
            raise _error(end)
    with open(table, encoding="utf-8") as lines:
        rows = Rows(json.loads(line) for line in lines)
    for row in rows:
        row["error"] = _files.in_words(row["error"])
    if end.returncode != 0 and not any(row["exit"] for row in rows):
        raise _error(end, rows)  # interrupted
    return rows


def schema(name):
    """The JSON Schema of a file or of results: `allport schema NAME`."""
    if not isinstance(name, str):
        raise WrongUse(f"schema: the name must be a text, as in 'run', not {name!r}", 2)
    return _json(_call(["schema", name]))


def version():
    """The version of the program that is called, such as 1.0.0."""
    return _call(["--version"]).split()[-1]


def _program():
    return os.environ.get("ALLPORT", "allport")


def _end(words, text=None):
    for word in words:
        if "\0" in word:
            raise WrongUse(f"{word!r} has the character NUL, which no option and no name of a file may have", 2)
    try:
        return subprocess.run([_program(), *words], input=text, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL if text is None else None, check=False)
    except (FileNotFoundError, PermissionError) as fault:
        raise Error(_no_program(fault), None) from None
    except UnicodeEncodeError as fault:
        raise _not_text("an option", fault) from None


def _no_program(fault):
    """A sentence about a program that the system cannot begin."""
    if isinstance(fault, FileNotFoundError):
        return f"the program {_program()!r} is not found: install allport, or set ALLPORT to its path"
    return f"{_program()!r} is not a program that may be run: set ALLPORT to the path of allport"


def _not_text(what, fault):
    return WrongUse(f"{what} has {fault.object[fault.start]!a}, half of a character, which no text may "
                    "have", 2)


def _error(end, results=None):
    lines = end.stderr.strip().splitlines()
    sentence = lines[-1] if lines else f"the program ended with status {end.returncode}"
    kind = {1: Finding, 2: WrongUse, 3: Incomplete}.get(end.returncode, Error)
    return kind(_files.in_words(sentence.removeprefix("allport: ")), end.returncode, results)


def _call(words, text=None, good=(0,)):
    end = _end(words, text)
    if end.returncode in good:
        return end.stdout
    raise _error(end, _json(end.stdout) if end.returncode != 2 else None)


def _dumped(value, what):
    try:
        return json.dumps(value)
    except (TypeError, ValueError) as fault:
        raise WrongUse(f"{what} cannot be written as JSON: {fault}", 2) from None


def _json(text):
    return json.loads(text) if text.strip() else None


def _run(command, scenario, options):
    again = (command, scenario, options)
    try:
        return Results(_results(command, scenario, options), again)
    except Error as error:
        if error.results is not None:
            error.results = Results(error.results, again)
        raise


def _again(command, scenario, options, option, path):
    """The results of a run that is made again, for the file of an option that writes one."""
    left = {}
    for key, value in options.items():
        name = key.replace("-", "_")
        if name not in _WRITTEN and not name.startswith("wave") and (name != "every" or option == "channel_load"):
            left[name] = value
    left[option] = path
    with _File(scenario) as file:
        return _json(_call([command, *file.words, "--json=-", *_words(left)], good=(0, 1, 3)))


_WRITTEN = ("messages", "channel_load", "timeline", "report", "deadlock")  # options that write files


def _results(command, scenario, options):
    for key in ("json", "output"):
        if key in options:
            raise WrongUse(f"{key} is no option here: the results are returned", 2)
    with _File(scenario) as file:
        return _json(_call([command, *file.words, "--json=-", *_words(options)]))


def _stamp(path):
    return os.stat(path).st_mtime_ns if os.path.exists(path) else None


def _words(options):
    """Options by name as words of a command line; a list is written with commas."""
    words = []
    for key, value in options.items():
        if key in ("help", "version") and value is not None:
            raise WrongUse(f"{key} is no option here: it has no results", 2)
        name = "--" + key.replace("_", "-")
        value = _plain(value)
        if value is True:
            words.append(name)
        elif (text := _option_text(value)) is not None:
            words.append(f"{name}={text}")
    return words


def _plain(value):
    """Arrays and scalars of NumPy as lists, numbers and booleans; other values as they are."""
    return value.tolist() if hasattr(value, "tolist") else value


def _option_text(value):
    """The value of an option as text; None: it is not given."""
    if value is None or value is False:
        return None
    return ",".join(str(_plain(one)) for one in value) if isinstance(value, (list, tuple)) else str(value)


class _File:
    """The file of a scenario while the program reads it; `words`: its name, or nothing; `what` it is."""

    def __init__(self, scenario, what="the scenario"):
        self.words = []
        self._what = what
        self._path = None
        try:
            self._text = None if scenario is None else _toml(scenario).encode("utf-8")
        except UnicodeEncodeError as fault:
            raise _not_text("the scenario", fault) from None

    def __enter__(self):
        if self._text is not None:
            handle, self._path = tempfile.mkstemp(prefix="allport.", suffix=".toml")
            with open(handle, "wb") as file:
                file.write(self._text)
            self.words = [self._path]
            _files.call(self._path, self._what)
        return self

    def __exit__(self, *_):
        if self._path is not None:
            _files.forget(self._path)
            os.remove(self._path)


def _toml(scenario):
    if not isinstance(scenario, dict):
        raise WrongUse(f"a scenario must be a dictionary of its tables, not {scenario!r}", 2)
    lines = []
    for table, keys in scenario.items():
        if not isinstance(keys, dict):
            raise WrongUse(f"{table} must be a table: a dictionary of its keys", 2)
        lines.append(f"[{_value(str(table))}]")
        lines += [f"{_value(str(key))} = {_value(value)}" for key, value in keys.items() if value is not None]
    return "\n".join(lines) + "\n"


def _value(value):
    value = _plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and not -2**63 <= value < 2**63:
        value = str(value)  # seeds have 64 bits, and the integers of TOML have 63 and a sign
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    # The escapes of JSON are those of TOML, which also wants that of the character DEL.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
