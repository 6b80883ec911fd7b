#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the networks that the slides and the programming paper speak of [CasanovaSlides, Ranka88] as GraphML.

Those of switches lead one way, from the processors through all stages and back to the processors."""
import itertools

import networkx


def write(graph, name, switches=()):
    for switch in switches:
        graph.nodes[switch]["processor"] = False
    networkx.write_graphml(graph, name + ".graphml")


def processors(count):
    graph = networkx.DiGraph()
    graph.add_nodes_from(f"n{i}" for i in range(count))
    return graph


def star_graph(links):
    """A processor for each order of links + 1 symbols, joined to those with the first one and another exchanged."""
    graph = networkx.Graph()
    for order in itertools.permutations("abcdefgh"[:links + 1]):
        for i in range(1, links + 1):
            other = list(order)
            other[0], other[i] = other[i], other[0]
            graph.add_edge("".join(order), "".join(other))
    return graph


def crossbar(count):
    """A switch where row i and column j cross: port 0 leads on along the row, port 1 down the column."""
    graph = processors(count)
    with open("crossbar_routes.csv", "w", encoding="utf-8") as table:
        table.write("node,layer,destination,port,next_layer\n")
        for i, j in itertools.product(range(count), repeat=2):
            graph.add_edge(f"x{i}.{j - 1}" if j else f"n{i}", f"x{i}.{j}", from_port=0, to_port=0)
            if i:
                graph.add_edge(f"x{i - 1}.{j}", f"x{i}.{j}", from_port=1, to_port=1)
            if i == count - 1:
                graph.add_edge(f"x{i}.{j}", f"n{j}", from_port=1, to_port=0)
            if i != j:
                table.write(f"n{i},inject,n{j},0,0\n")
            for k in range(j, count):
                table.write(f"x{i}.{j},0,n{k},{0 if j < k else 1},0\n")
    return graph


def omega(stages):
    """A perfect shuffle before each stage of 2 x 2 switches, and one way from each processor to each [Lawrie75]."""
    count = 2 ** stages
    graph = processors(count)
    ends = [f"n{i}" for i in range(count)]
    for stage in range(stages):
        shuffled = [ends[i // 2 + i % 2 * (count // 2)] for i in range(count)]
        for i, end in enumerate(shuffled):
            graph.add_edge(end, f"s{stage}.{i // 2}")
        ends = [f"s{stage}.{i // 2}" for i in range(count)]
    graph.add_edges_from((end, f"n{i}") for i, end in enumerate(ends))
    return graph


def benes(graph, sources, targets, name="b"):
    """2 x 2 switches around an upper and a lower network of half the lines each [Benes64]."""
    if len(sources) == 2:
        graph.add_edges_from((source, name) for source in sources)
        graph.add_edges_from((name, target) for target in targets)
        return graph
    first = [f"{name}f{i}" for i in range(len(sources) // 2)]
    last = [f"{name}l{i}" for i in range(len(sources) // 2)]
    graph.add_edges_from((source, first[i // 2]) for i, source in enumerate(sources))
    graph.add_edges_from((last[i // 2], target) for i, target in enumerate(targets))
    benes(graph, first, last, name + "u")
    return benes(graph, first, last, name + "w")


def is_switch(node):
    return not node.startswith("n")


write(networkx.complete_graph(16), "clique")
write(star_graph(3), "star_graph")
write(networkx.balanced_tree(2, 3), "binary_tree")
lines = [f"n{i}" for i in range(8)]
for network, name in ((crossbar(8), "crossbar"), (omega(3), "omega"), (benes(processors(8), lines, lines), "benes")):
    write(network, name, filter(is_switch, list(network)))
