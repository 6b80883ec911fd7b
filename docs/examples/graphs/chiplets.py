#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes chiplets.graphml: a mesh of 16 x 16 nodes on 4 x 4 chiplets. A link between two chiplets has four cycles of
delay and carries two bytes in a cycle, half a flit of four."""
import networkx

SIDE, CHIPLET = 16, 4
graph = networkx.Graph()
for y in range(SIDE):
    for x in range(SIDE):
        graph.add_node(str(x + SIDE * y), x=x, y=y, group=f"{x // CHIPLET}.{y // CHIPLET}")
for (u, there) in list(graph.nodes(data=True)):
    for step, edge in ((1, there["x"] + 1), (SIDE, there["y"] + 1)):
        if edge == SIDE:
            continue
        crosses = edge % CHIPLET == 0
        graph.add_edge(u, str(int(u) + step), **({"delay": 4, "width": 2} if crosses else {}))
networkx.write_graphml(graph, "chiplets.graphml")
