# SPDX-License-Identifier: Apache-2.0
"""Graphs as fabrics, from networkx and to it."""

import os
import tempfile


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

    @classmethod
    def from_networkx(cls, graph, file=None):
        """The fabric of a networkx Graph, DiGraph or MultiGraph, written as GraphML to `file`; None: to a file that
        goes with the object. Attributes of nodes are processor, ports, x, y, group and level, of edges delay, width,
        from_port and to_port, where from is the end that GraphML names first; others count for nothing."""
        import networkx

        folder = None
        if file is None:
            folder = tempfile.TemporaryDirectory(prefix="allport.")
            file = os.path.join(folder.name, "graph.graphml")
        networkx.write_graphml(graph, file)
        made = cls(file)
        made._folder = folder  # goes with the object
        return made

    def to_networkx(self):
        """The routers and links as a networkx MultiDiGraph: an edge for each channel, with port, input, delay and
        phits; a node has `node`, its number, or None for a switch, and `ports`, its internal ports, where the file says
        how many."""
        import networkx

        from . import _call, _json

        shown = _json(_call(["show", "fabric", "--topology", str(self), "--json=-"]))
        graph = networkx.MultiDiGraph()
        for router in shown["routers"]:
            own = {"ports": router["internal_ports"]} if "internal_ports" in router else {}
            graph.add_node(router["name"], node=router["node"], **own)
        for router in shown["routers"]:
            for port in router["ports"]:
                end = port.pop("to")
                graph.add_edge(router["name"], end, **port)
        return graph
