#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes fat_tree.graphml: a 4-ary 3-tree [PetriniVanneschi97] with 64 processors and three levels of 16 switches.

Switches of level l and l + 1 are joined if their numbers, two digits to base 4, agree in all but digit l."""
import networkx

ARY, LEVELS = 4, 3
PER_LEVEL = ARY ** (LEVELS - 1)
graph = networkx.Graph()
for level in range(LEVELS):
    for number in range(PER_LEVEL):
        graph.add_node(f"s{level}.{number}", processor=False, level=level)
for processor in range(ARY ** LEVELS):
    graph.add_edge(f"n{processor}", f"s0.{processor // ARY}")
for level in range(LEVELS - 1):
    for number in range(PER_LEVEL):
        digit = number // ARY ** level % ARY
        for other in range(ARY):
            graph.add_edge(f"s{level}.{number}", f"s{level + 1}.{number + (other - digit) * ARY ** level}")
networkx.write_graphml(graph, "fat_tree.graphml")
