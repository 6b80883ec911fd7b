#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Requests and replies over one network, with at most N outstanding requests at each node.

usage: closed_loop.py [--cycles CYCLES] [--outstanding N,..] [--figure FILE] [KEY=VALUE ..]
"""
import argparse
import sys

import numpy

import allport

REQUEST, REPLY = 8, 64  # bytes


def closed_loop(outstanding, cycles=2000, seed=1, **options):
    """Runs a loop; returns the replies per node and cycle, and the mean round trip, of its second half.

    Each node has its next request made in the cycle in which it receives a reply, for another node drawn at
    random, which replies in the cycle in which it has the request.
    """
    draw = numpy.random.default_rng(seed)
    round_trips = []
    with allport.Network(**options) as network:
        nodes = network.nodes()

        def request(sources):
            destinations = (sources + draw.integers(1, nodes, sources.size)) % nodes
            network.send(sources, destinations, REQUEST, user=2 * network.now())  # even: a request, and its cycle

        request(numpy.repeat(numpy.arange(nodes), outstanding))
        while network.now() < cycles:
            received = network.advance_to_delivery(cycles)
            is_reply = received["user"] % 2 == 1
            asked, answered = received[~is_reply], received[is_reply]
            network.send(asked["destination"], asked["source"], REPLY, user=asked["user"] + 1)
            request(answered["destination"].astype(int))
            if network.now() >= cycles // 2:
                round_trips.append(answered["tail"] - (answered["user"] // 2).astype(int))
    all_trips = numpy.concatenate(round_trips)
    return all_trips.size / (nodes * (cycles - cycles // 2)), all_trips.mean()


def draw_figure(rows, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    axes.plot(*zip(*[row[:2] for row in rows]), marker="o")
    axes.set(xlabel="outstanding requests at a node", ylabel="replies per node and cycle", xscale="log", ylim=0)
    figure.savefig(path)


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--cycles", type=int, default=2000)
    words.add_argument("--outstanding", type=lambda text: [int(word) for word in text.split(",")],
                       default=[1, 2, 4, 8, 16, 32])
    words.add_argument("--figure")
    words.add_argument("options", nargs="*", default=["topology=torus:8x8"], metavar="KEY=VALUE")
    given = words.parse_args()
    options = dict(word.partition("=")[::2] for word in given.options)
    print("outstanding  replies/node/cycle  round trip")
    rows = []
    for outstanding in given.outstanding:
        rows.append((outstanding, *closed_loop(outstanding, given.cycles, **options)))
        print("%11d  %18.4f  %10.1f" % rows[-1])
    if given.figure:
        draw_figure(rows, given.figure)


if __name__ == "__main__":
    try:
        main()
    except allport.WrongUse as error:
        sys.exit(f"closed_loop: {error}")
