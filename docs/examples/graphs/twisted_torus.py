#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes twisted_torus.csv: a torus of 8 x 4 whose wraparound links in y lead half a row farther [Camara10], so that no
node is more than four hops away; the list of edges has the ports of a torus."""
WIDTH, HEIGHT, TWIST = 8, 4, 4
with open("twisted_torus.csv", "w", encoding="ascii") as file:
    file.write("u,v,from_port,to_port\n")
    for y in range(HEIGHT):
        for x in range(WIDTH):
            node = x + WIDTH * y
            right = (x + 1) % WIDTH + WIDTH * y
            wraps = y == HEIGHT - 1
            up = (x + TWIST * wraps) % WIDTH + WIDTH * ((y + 1) % HEIGHT)
            file.write(f"{node},{right},0,1\n{node},{up},2,3\n")
