# SPDX-License-Identifier: Apache-2.0
"""Graphs as fabrics, from networkx and to it."""

import os
import re
import tempfile
import weakref

from . import _files

class Graph:
    """A fabric in a file, for the option `topology`:

        graph = allport.Graph.from_networkx(networkx.petersen_graph())
        allport.run(topology=graph, algorithm="ring-allreduce")

    `file`: GraphML, DOT or a list of edges (docs/guide/graphs.md); str(graph) is `graph:FILE`.
    """

    def __init__(self, file):
        self.file = os.fspath(file)
        self._folder = None

    def __str__(self):
        return "graph:" + self.file

    def __repr__(self):
        return f"allport.Graph({self.file!r})"

    def __reduce__(self):
        if self._folder is None:
            return type(self), (self.file,)
        with open(self.file, "rb") as file:  # a file of the object's own goes with it
            return _of_text, (type(self), file.read())

    @classmethod
    def from_networkx(cls, graph, file=None):
        """The fabric of a networkx Graph, DiGraph or MultiGraph, written as GraphML to `file`; None: to a file that
        goes with the object.

        Attributes of nodes are processor, ports, x, y, group, level and endpoints, of edges delay, width, from_port
        and to_port, where from is the end that graph.edges names first; None is no value, NumPy's numbers are numbers,
        and what else nodes and edges have counts for nothing. A value of another kind raises allport.WrongUse; its
        range is that of the file. Nodes are called str(node). What to_networkx() returns gives the same fabric again.
        """
        import networkx

        from . import WrongUse

        if not isinstance(graph, networkx.Graph):
            raise WrongUse(f"a {type(graph).__name__} is no graph of networkx", 2)
        text = "\n".join(networkx.generate_graphml(_plain(graph))) + "\n"
        if file is None:
            return _of_text(cls, text.encode("utf-8"))
        with open(file, "w", encoding="utf-8") as written:
            written.write(text)
        return cls(file)

    def to_networkx(self):
        """The routers and links as a networkx MultiDiGraph, which from_networkx() takes.

        Nodes are in the order of the file. Each has `node`, its number, or None for a switch, which has
        processor=False, and what the file gives it of ports, x, y, group and level. An edge for each channel has its
        output `port`, which is from_port, too, and its `input` port, which is to_port, what the file gives its link of
        delay and width, and `phits`, if some link has a delay or a width of its own. graph.graph["directed"] is False where links
        lead both ways, so that each channel has one back; from_networkx() makes one link of both.
        """
        import networkx

        from . import _call, _json

        shown = _json(_call(["show", "fabric", "--topology", str(self), "--json=-"]))
        graph = networkx.MultiDiGraph(directed=shown.get("directed", False))
        for router in sorted(shown["routers"], key=lambda one: one.get("place", 0)):
            own = {name: router[key] for name, key in _NODE_KEYS.items() if key in router}
            if router["node"] is None:
                own["processor"] = False
            graph.add_node(router["name"], node=router["node"], **own)
        for router in shown["routers"]:
            for port in router["ports"]:
                own = {"port": port["port"], "input": port["input"], "from_port": port["port"],
                       "to_port": port["input"], **port.get("own", {})}
                if "phits" in port:
                    own["phits"] = port["phits"]
                graph.add_edge(router["name"], port["to"], **own)
        return graph


_NODE_KEYS = {"ports": "internal_ports", "x": "x", "y": "y", "group": "group", "level": "level"}


def _of_text(cls, text):
    """A graph with a file of its own, which has `text`."""
    folder = tempfile.TemporaryDirectory(prefix="allport.")
    path = os.path.join(folder.name, "graph.graphml")
    with open(path, "wb") as file:
        file.write(text)
    made = cls(path)
    made._folder = folder  # goes with the object
    _files.call(path, "Graph")
    weakref.finalize(made, _files.forget, path)
    return made


_BLANKS = " \t\r\n"  # around a value, which count for nothing in a file either
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _flag(value):
    return {"true": True, "1": True, "false": False, "0": False}.get(str(value).strip(_BLANKS).lower())


def _whole(value):
    """A whole number of any size, exactly; None: it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch("[+-]?[0-9]{1,4000}", value.strip(_BLANKS)):
        return int(value)
    if isinstance(value, int):
        return value
    number = _real(value)
    return int(number) if number is not None and number == int(number) else None


def _real(value):
    """A finite number, or a text of one, as DOT has them; None: it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip(_BLANKS)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None  # nor is it nan


def _ports(value):
    is_all = isinstance(value, str) and value.strip(_BLANKS) == "all"
    return "all" if is_all else _whole(value)


def _word(value):
    """A text or a number, which is the same text in a file; None: it is neither."""
    return None if isinstance(value, bool) or not isinstance(value, (str, int, float)) else str(value)


_NODES = {"processor": (_flag, "True or False"), "ports": (_ports, "a whole number or all"),
          "x": (_real, "a number"), "y": (_real, "a number"), "group": (_word, "a text or a number"),
          "level": (_whole, "a whole number"), "endpoints": (_whole, "a whole number")}
_EDGES = {name: (_whole, "a whole number") for name in ("delay", "width", "from_port", "to_port")}


def _known(attributes, known, owner):
    """Those of `attributes` that a fabric has, as plain values of Python."""
    from . import WrongUse

    plain = {}
    for name, (read, kind) in known.items():
        value = attributes.get(name)
        if value is None:
            continue
        if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
            value = value.item()  # of NumPy
        if isinstance(value, int) and value.bit_length() > 1024:
            raise WrongUse(f"{owner}: {name}, a number of {value.bit_length()} bits, is beyond any range", 2)
        plain[name] = read(value) if isinstance(value, (bool, int, float, str)) else None
        if plain[name] is None:
            raise WrongUse(f"{owner}: {name} {attributes[name]!r} must be {kind}", 2)
    return plain


def _name(node):
    from . import WrongUse

    name = str(node)
    if not name:
        raise WrongUse(f"node {node!a}: its name is empty, and each node of a fabric has one", 2)
    if any(ord(sign) < 32 or 127 <= ord(sign) < 160 or 0xD800 <= ord(sign) < 0xE000 for sign in name):
        raise WrongUse(f"node {node!a}: its name must be a text without control characters", 2)
    return name


def _plain(graph):
    """The graph with texts for nodes, in its order, and with the attributes of a fabric alone."""
    import networkx

    from . import WrongUse

    one_way = graph.is_directed() and graph.graph.get("directed") is not False
    plain = networkx.MultiDiGraph() if one_way else networkx.MultiGraph()
    names = {node: _name(node) for node in graph}
    for node, attributes in graph.nodes(data=True):
        if names[node] in plain:
            raise WrongUse(f"two nodes are called {names[node]}", 2)
        plain.add_node(names[node], **_known(attributes, _NODES, f"node {names[node]}"))
    edges = [(names[u], names[v], _known(attributes, _EDGES, f"edge {names[u]} - {names[v]}"))
             for u, v, attributes in graph.edges(data=True)]
    plain.add_edges_from(edges if graph.is_directed() is one_way else _both_ways(edges, list(plain)))
    return plain


def _both_ways(edges, nodes):
    """A link for each two channels of `edges` that are each other's way back."""
    from . import WrongUse

    place = {node: i for i, node in enumerate(nodes)}
    left = {}
    for u, v, own in edges:
        left.setdefault((u, v, own.get("from_port"), own.get("to_port")), []).append(own)
    links = []
    for u, v, own in edges:
        back = left.get((v, u, own.get("to_port"), own.get("from_port")), [])
        rest = {name: own[name] for name in own if name in ("delay", "width")}
        same = [one for one in back if {name: one[name] for name in one if name in ("delay", "width")} == rest]
        if not same:
            raise WrongUse(f"edge {u} - {v}: it has none back with the same ports, delay and width; where links lead "
                           "one way, graph.graph['directed'] is not False", 2)
        if place[u] < place[v]:  # as graph.edges names it
            links.append((u, v, own))
    return links
