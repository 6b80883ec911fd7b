/* SPDX-License-Identifier: Apache-2.0
 * Two nodes of a network play ping-pong: the answer leaves in the cycle in which the ball comes, so
 * that a rally takes twice the latency of docs/timing.md. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <allport.h>

enum { ping = 0, pong = 27, rallies = 5, bytes = 64 };

static void require(allport_network* network, allport_status status) {
  if (status == ALLPORT_OK) return;
  fprintf(stderr, "c_client: %s\n", allport_error(network));
  exit(EXIT_FAILURE);
}

int main(int argc, char** argv) {
  allport_network* network = allport_open(argc > 1 ? argv[1] : "topology=torus:8x8 vcs=2");
  allport_message ball = {.size = sizeof ball, .source = ping, .destination = pong, .bytes = bytes};
  allport_delivery delivery = {.size = sizeof delivery};
  int64_t latency = 0;
  int64_t start = 0;
  size_t count = 0;

  require(network, allport_opened(network));
  require(network, allport_expected(network, ping, pong, bytes, &latency));
  for (int hit = 0; hit < 2 * rallies; ++hit) {
    require(network, allport_send(network, &ball, start, NULL));
    require(network, allport_advance_to_delivery(network, start + 1000000, &count));
    require(network, allport_get_delivery(network, 0, &delivery));
    printf("cycle %4" PRId64 ": node %2" PRIu32 " has the ball, %" PRId64 " cycles later\n",
           delivery.tail, delivery.destination, delivery.tail - start);
    if (count != 1 || delivery.tail - start != latency) return EXIT_FAILURE;
    ball.source = delivery.destination;
    ball.destination = delivery.source;
    start = delivery.tail;
  }
  return allport_close(network) == ALLPORT_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
