# SPDX-License-Identifier: Apache-2.0
"""64 endpoints on a torus: sst --add-lib-path=BUILD torus.py [-- --packets N --seed N --options ..].

Each sends packets at random, each prints what comes to it. With `--schedule FILE` the sends are
written as a schedule for `allport run`: a packet that an endpoint sends in cycle c enters the
network in cycle c + 1, and what prints cycle c has its tail in cycle c - 2, as long as the latency
of the links is a cycle. `--trace FILE` and `--results FILE` are the parameters `schedule` and
`results` of the fabric.
"""

import argparse
import json
import random
import sys

import sst

parser = argparse.ArgumentParser()
parser.add_argument("--packets", type=int, default=10, help="packets of an endpoint")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--options", default="topology=torus:8x8", help="options of the network")
parser.add_argument("--nodes", type=int, default=64)
parser.add_argument("--vns", type=int, default=1, help="virtual networks: message classes")
parser.add_argument("--room", default="1kB", help="output buffer of a virtual network")
parser.add_argument("--clock", default="1GHz", help="rate of the cycles")
parser.add_argument("--latency", default="1ns", help="latency of the links")
parser.add_argument("--greets", default="[]", help="nodes that node 0 greets, -1 for all others")
parser.add_argument("--schedule", help="file to be written: what is sent")
parser.add_argument("--trace", default="", help="file to be written: what enters the network")
parser.add_argument("--results", default="", help="file to be written")
arguments = parser.parse_args(sys.argv[1:])

FLIT_BYTES = 4
draw = random.Random(arguments.seed)
sends = []  # by node: cycle, destination, bytes, virtual network
for node in range(arguments.nodes):
    others = [other for other in range(arguments.nodes) if other != node]
    sends.append(sorted([draw.randrange(200), draw.choice(others), 4 * draw.randrange(1, 33),
                         draw.randrange(arguments.vns)] for _ in range(arguments.packets)))

fabric = sst.Component("fabric", "allport.fabric")
fabric.addParams({"options": arguments.options, "clock": arguments.clock,
                  "schedule": arguments.trace, "results": arguments.results})
for node, packets in enumerate(sends):
    player = sst.Component(f"player{node}", "allport.player")
    player.addParams({
        "sends": [number for packet in packets for number in packet],
        "receives": sum(packet[1] == node for other in sends for packet in other),
        "greets": json.loads(arguments.greets) if node == 0 else [],
        "vns": arguments.vns,
        "clock": arguments.clock,
    })
    interface = player.setSubComponent("networkIF", "allport.linkcontrol")
    interface.addParams({"output_buf_size": arguments.room})
    link = sst.Link(f"link{node}")
    link.connect((interface, "rtr_port", arguments.latency),
                 (fabric, f"port{node}", arguments.latency))

if arguments.schedule:
    with open(arguments.schedule, "w", encoding="utf-8") as file:
        for node, packets in enumerate(sends):
            for order, (cycle, destination, length, network) in enumerate(packets):
                json.dump({"u": node, "v": destination, "step": 1, "order": order,
                           "flits": length // FLIT_BYTES, "at": cycle + 1, "class": network}, file)
                file.write("\n")
