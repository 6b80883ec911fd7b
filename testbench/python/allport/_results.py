# SPDX-License-Identifier: Apache-2.0
"""What run(), explain() and sweep() return: dictionaries and lists that know more when they are asked."""

import csv
import html
import os
import tempfile


class Results(dict):
    """The results of a run, as a dictionary.

    `messages`, `channels` and the page that a notebook shows are made when they are first asked for, by the
    same run again; it is an Error if that has another digest (another program, or a file that has changed),
    and the results of a Network, which is no run, have none of them.
    """

    def __init__(self, results=(), again=None):
        super().__init__(results)
        self._again = again  # the command, the scenario and the options by name
        self._made = {}

    @property
    def messages(self):
        """The columns of `--messages`, a row for each message and receiver, as a NumPy structured array.

        Columns of cycles are int64; -1 stands where the table has nothing.
        """
        return self._table("messages")

    @property
    def channels(self):
        """The columns of `--channel-load`, a row for each channel and stretch, as a NumPy structured array.

        `channel` is text (external, injection or ejection), `load` a float64, all else int64.
        """
        return self._table("channel_load")

    def _repr_html_(self):
        if self._again is None:  # those of a network have no page, and are shown as a dictionary
            return None
        page = self._file("report", ".html")
        return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def __reduce__(self):
        return type(self), (dict(self), self._again), {"_again": self._again, "_made": self._made}

    def _table(self, option):
        if option not in self._made:
            self._made[option] = _array(self._file(option, ".csv"))
        return self._made[option]

    def _file(self, option, suffix):
        from . import Error, _again

        if self._again is None:
            raise Error("these results are of no run that could be made again", None)
        with tempfile.TemporaryDirectory(prefix="allport.") as folder:
            path = os.path.join(folder, option + suffix)
            results = _again(*self._again, option, path)
            if results.get("digest") != self.get("digest"):
                raise Error(f"the run is not what it was: its digest is {results.get('digest')}, and was "
                            f"{self.get('digest')}", None)
            with open(path, encoding="utf-8", newline="") as file:
                return file.read()


class Rows(list):
    """The rows of a sweep, a dictionary for each point."""

    def to_frame(self):
        """A pandas.DataFrame with a row for each point: its axes, `exit`, `error` and the results.

        A result within others has a name such as `latency.max`; lists, and tables that have nodes as their keys,
        are left out. A result that is called as an axis is `result.NAME`. Axes of numbers are numbers.
        """
        import pandas

        axes = self._axes()
        rows = []
        for row in self:
            flat = {"exit": row["exit"], "error": row["error"]}
            _flatten(row["result"] or {}, "", flat)
            rows.append({**{axis: row["point"].get(axis) for axis in axes},
                         **{f"result.{name}" if name in axes else name: value for name, value in flat.items()}})
        frame = pandas.DataFrame(rows, columns=axes + ["exit", "error"] if not rows else None)
        for axis in axes:
            frame[axis] = _numbers(pandas, frame[axis])
        return frame

    def to_xarray(self):
        """An xarray.Dataset of the same columns, whose dimensions are the axes; NaN where there is no point.

        Without axes the dimension is `point`.
        """
        import xarray

        axes = self._axes()
        frame = self.to_frame()
        if axes:
            frame = frame.set_index(axes if len(axes) > 1 else axes[0])
        else:
            frame.index.name = "point"
        return xarray.Dataset.from_dataframe(frame)

    def _axes(self):
        return list(dict.fromkeys(axis for row in self for axis in row["point"]))


def _flatten(results, prefix, flat):
    for key, value in results.items():
        if isinstance(value, dict):
            if not (value and all(inner.isdecimal() for inner in value)):
                _flatten(value, f"{prefix}{key}.", flat)
        elif not isinstance(value, list):
            flat[prefix + key] = value


def _numbers(pandas, column):
    try:
        return pandas.to_numeric(column)
    except (TypeError, ValueError):
        return column


def _array(text):
    import numpy

    names, *rows = csv.reader(text.splitlines())
    kinds = {"channel": f"U{len('injection')}", "load": "f8"} if "from" in names else {}
    kind = numpy.dtype([(name, kinds.get(name, "i8")) for name in names])
    array = numpy.empty(len(rows), kind)
    for name, column in zip(names, zip(*rows)):
        array[name] = [cell if cell or name in kinds else -1 for cell in column]
    return array
