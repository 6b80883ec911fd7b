# SPDX-License-Identifier: Apache-2.0
"""An all-reduce by ember's ranks: sst --add-lib-path=BUILD ember.py [-- --nodes N --options ..].

It needs ember, firefly, hermes and merlin of sst-elements; of merlin only what ember's scripts
import. Rank n is at node n. `--trace FILE` and `--results FILE` are the parameters `schedule` and
`results` of the fabric.
"""

import argparse
import sys

import sst
from sst.merlin.base import PlatformDefinition
from sst.ember import EmberMPIJob

parser = argparse.ArgumentParser()
parser.add_argument("--options", default="topology=torus:8x8", help="options of the network")
parser.add_argument("--nodes", type=int, default=64)
parser.add_argument("--motif", default="Allreduce", help="what the ranks do, as Allreduce or Alltoall")
parser.add_argument("--arguments", default="count=1024", help="of the motif: NAME=VALUE, by commas")
parser.add_argument("--packet", default="1024B", help="payload of the longest packet")
parser.add_argument("--room", default="4kB", help="output buffer of a virtual network")
parser.add_argument("--trace", default="", help="file to be written: what enters the network")
parser.add_argument("--results", default="", help="file to be written")
arguments = parser.parse_args(sys.argv[1:])


class NetworkInterface:
    """What a job asks for the network interface of a node."""

    def build(self, component, slot, number, *_):
        interface = component.setSubComponent(slot, "allport.linkcontrol", number)
        interface.addParam("output_buf_size", arguments.room)
        return interface, "rtr_port"


PlatformDefinition.setCurrentPlatform("firefly-defaults")
job = EmberMPIJob(0, arguments.nodes)
job.network_interface = NetworkInterface()
job.nic.packetSize = arguments.packet
job.createLinearNidMap()
for motif in "Init", " ".join([arguments.motif, *arguments.arguments.split(",")]), "Fini":
    job.addMotif(motif)

fabric = sst.Component("fabric", "allport.fabric")
fabric.addParams({"options": arguments.options, "clock": "1GHz",
                  "schedule": arguments.trace, "results": arguments.results})
for node in range(arguments.nodes):
    interface, port = job.build(node, {})
    sst.Link(f"link{node}").connect((interface, port, "1ns"), (fabric, f"port{node}", "1ns"))
