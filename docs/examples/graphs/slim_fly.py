#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes slim_fly.graphml: the slim fly [BestaHoefler14] of q = 5, which is the graph of Hoffman and Singleton: 50 nodes
with seven links each, two hops apart at most.

2 generates the numbers mod 5 without 0; its even powers are 1 and 4, its odd ones 2 and 3."""
import networkx

Q, EVEN, ODD = 5, (1, 4), (2, 3)
graph = networkx.Graph()
graph.add_nodes_from(f"{half}.{x}.{y}" for half in range(2) for x in range(Q) for y in range(Q))
for x in range(Q):
    for y in range(Q):
        graph.add_edges_from((f"0.{x}.{y}", f"0.{x}.{(y + step) % Q}") for step in EVEN)
        graph.add_edges_from((f"1.{x}.{y}", f"1.{x}.{(y + step) % Q}") for step in ODD)
        graph.add_edges_from((f"0.{x}.{y}", f"1.{m}.{(y - m * x) % Q}") for m in range(Q))
networkx.write_graphml(graph, "slim_fly.graphml")
