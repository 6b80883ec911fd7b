#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes dragonfly.graphml: a dragonfly [Kim08] of nine groups of four switches, each with two processors: 72 of them.

In a group all switches are joined. Each has two global links; link k of switch j in group i leads to group
i + 2 j + k + 1 (mod 9), so that each pair of groups has one. Global links have a delay of eight cycles."""
import networkx

GROUPS, SWITCHES, PROCESSORS, GLOBAL = 9, 4, 2, 2
graph = networkx.Graph()
switch = {(i, j): f"s{i}.{j}" for i in range(GROUPS) for j in range(SWITCHES)}
for (i, j), name in switch.items():
    graph.add_node(name, processor=False, group=str(i))
for (i, j), name in switch.items():
    for p in range(PROCESSORS):
        graph.add_node(f"n{(SWITCHES * i + j) * PROCESSORS + p}", group=str(i))
        graph.add_edge(f"n{(SWITCHES * i + j) * PROCESSORS + p}", name)
    for other in range(j + 1, SWITCHES):
        graph.add_edge(name, switch[i, other])
    for k in range(GLOBAL):
        distance = GLOBAL * j + k + 1
        back = GROUPS - distance - 1  # the global link of the other group that leads here
        graph.add_edge(name, switch[(i + distance) % GROUPS, back // GLOBAL], delay=8)
networkx.write_graphml(graph, "dragonfly.graphml")
