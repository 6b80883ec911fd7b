#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes jellyfish.graphml: a random regular graph [Singla12] of 32 switches with six links each, and two processors
at each switch."""
import networkx

random = networkx.random_regular_graph(6, 32, seed=1)
graph = networkx.Graph()
for switch in sorted(random):
    graph.add_node(f"s{switch}", processor=False)
graph.add_edges_from((f"s{u}", f"s{v}") for u, v in sorted(map(sorted, random.edges)))
for processor in range(64):
    graph.add_edge(f"n{processor}", f"s{processor // 2}")
networkx.write_graphml(graph, "jellyfish.graphml")
