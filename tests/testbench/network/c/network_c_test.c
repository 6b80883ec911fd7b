/* SPDX-License-Identifier: Apache-2.0
 * Each call of allport.h from C, its errors, and that nothing but codes and text crosses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allport.h"

static int faults = 0;

static void expect_number(long long is, long long wanted, int line) {
  if (is == wanted) return;
  fprintf(stderr, "line %d: %lld, not %lld\n", line, is, wanted);
  ++faults;
}

static void expect_text(const char* is, const char* wanted, int line) {
  if (strcmp(is, wanted) == 0) return;
  fprintf(stderr, "line %d: '%s', not '%s'\n", line, is, wanted);
  ++faults;
}

#define EQUAL(is, wanted) expect_number((long long)(is), (long long)(wanted), __LINE__)
#define TEXT(is, wanted) expect_text(is, wanted, __LINE__)

static allport_message message(uint32_t source, uint32_t destination, int64_t flits) {
  allport_message one;
  memset(&one, 0, sizeof one);
  one.size = sizeof one;
  one.source = source;
  one.destination = destination;
  one.flits = flits;
  return one;
}

static void check_calls(void) {
  allport_network* network = allport_open("topology=hypercube:3");
  allport_message one = message(0, 7, 16);
  allport_delivery delivery;
  uint64_t id = 99;
  uint32_t nodes = 0;
  size_t count = 0;
  int64_t number = 0;
  int flag = 0;
  delivery.size = sizeof delivery;
  one.user = 42;
  EQUAL(allport_opened(network), ALLPORT_OK);
  EQUAL(allport_nodes(network, &nodes), ALLPORT_OK);
  EQUAL(nodes, 8);
  EQUAL(allport_send(network, &one, 5, &id), ALLPORT_OK);
  EQUAL(id, 0);
  EQUAL(allport_queued(network, 0, 0, &number), ALLPORT_OK);
  EQUAL(number, 16);
  EQUAL(allport_limit(network, &number), ALLPORT_OK);
  EQUAL(number, 0);
  EQUAL(allport_next_event(network, &number), ALLPORT_OK);
  EQUAL(number, 7);
  EQUAL(allport_advance_to_delivery(network, 1000, &count), ALLPORT_OK);
  EQUAL(count, 1);
  EQUAL(allport_get_delivery(network, 0, &delivery), ALLPORT_OK);
  EQUAL(delivery.id, 0);
  EQUAL(delivery.user, 42);
  EQUAL(delivery.source, 0);
  EQUAL(delivery.destination, 7);
  EQUAL(delivery.injected, 5);
  EQUAL(delivery.head, 9);
  EQUAL(delivery.tail, 24);
  EQUAL(allport_now(network, &number), ALLPORT_OK);
  EQUAL(number, 24);
  EQUAL(allport_lookahead(network, 0, 7, &number), ALLPORT_OK);
  EQUAL(number, 4);
  EQUAL(allport_expected(network, 0, 7, 64, &number), ALLPORT_OK);
  EQUAL(number, 19);
  EQUAL(allport_is_idle(network, &flag), ALLPORT_OK);
  EQUAL(flag, 1);
  EQUAL(allport_advance(network, 100, &count), ALLPORT_OK);
  EQUAL(count, 0);
  EQUAL(allport_next_event(network, &number), ALLPORT_OK);
  EQUAL(number == ALLPORT_NEVER, 1);
  TEXT(allport_error(network), "");
  one = message(0, 0, 4);
  one.kind = ALLPORT_TREE;
  EQUAL(allport_send(network, &one, 101, NULL), ALLPORT_OK);
  EQUAL(allport_advance(network, 200, &count), ALLPORT_OK);
  EQUAL(count, 7);
  EQUAL(allport_close(network), ALLPORT_OK);
}

static void check_errors(void) {
  allport_network* network = allport_open("topology=ring:4 queue_limit=8");
  allport_message one = message(0, 9, 1);
  allport_delivery delivery;
  size_t count = 0;
  int64_t number = 0;
  EQUAL(allport_limit(network, &number), ALLPORT_OK);
  EQUAL(number, 8);
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "destination 9 is not a node of ring:4, which has the nodes 0..3");
  one = message(0, 1, 1);
  one.kind = 7;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "kind 7: must be ALLPORT_UNICAST or ALLPORT_TREE");
  one = message(0, 1, 1);
  one.message_class = 4294967295U;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(network),
       "class 4294967295: must be one of the classes of the network, 8 at most");
  one = message(0, 1, 1);
  one.reserved = 5;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "reserved 5: must be 0");
  one = message(0, 1, 1);
  one.size = 3;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_WRONG_USE);
  EQUAL(strncmp(allport_error(network), "message: its size is 3, and must be", 35), 0);
  EQUAL(allport_send(network, NULL, 0, NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "message: it is NULL");
  EQUAL(allport_advance(network, 9, &count), ALLPORT_OK);
  EQUAL(allport_advance(network, 9, &count), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "advance to 9: that cycle is past, and now is cycle 10");
  EQUAL(allport_advance(network, 19, NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "count: it is NULL");
  EQUAL(allport_now(network, &number), ALLPORT_OK);
  EQUAL(number, 10);
  delivery.size = sizeof delivery;
  EQUAL(allport_get_delivery(network, 0, &delivery), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "delivery 0: the last call has 0 of them");
  one = message(0, 1, 5);
  EQUAL(allport_try_send(network, &one, 10, NULL), ALLPORT_OK);
  EQUAL(allport_try_send(network, &one, 10, NULL), ALLPORT_NO_ROOM);
  EQUAL(allport_close(network), ALLPORT_OK);
}

static void check_handles(void) {
  allport_network* first = allport_open("topology=ring:4");
  allport_network* second;
  size_t count = 0;
  EQUAL(allport_close(first), ALLPORT_OK);
  EQUAL(allport_close(first), ALLPORT_CLOSED);
  EQUAL(allport_advance(first, 1, &count), ALLPORT_CLOSED);
  TEXT(allport_error(first), "the handle is of no open network");
  second = allport_open("topology=ring:4");
  EQUAL(allport_advance(second, 1, &count), ALLPORT_OK);
  EQUAL(allport_advance(first, 2, &count), ALLPORT_CLOSED);
  EQUAL(allport_close(second), ALLPORT_OK);
  EQUAL(allport_close(NULL), ALLPORT_CLOSED);
  EQUAL(allport_opened((allport_network*)(uintptr_t)0xdeadbeef), ALLPORT_CLOSED);

  first = allport_open("topology=ring:8 vcs=20");
  EQUAL(allport_opened(first), ALLPORT_WRONG_USE);
  TEXT(allport_error(first), "vcs: '20' is not a whole number in 1..16");
  EQUAL(allport_advance(first, 1, &count), ALLPORT_WRONG_USE);
  EQUAL(allport_close(first), ALLPORT_OK);
  first = allport_open(NULL);
  TEXT(allport_error(first), "options: it is NULL");
  EQUAL(allport_close(first), ALLPORT_OK);
}

struct client {
  int calls;
  int64_t cycle;
  allport_status closed;
  allport_status advanced;
  allport_status copied;
};

static void has_room(void* data, allport_network* network, uint32_t node,
                     uint32_t message_class) {
  struct client* client = data;
  allport_message one = message(node, 1, 3);
  size_t count = 0;
  ++client->calls;
  EQUAL(message_class, 0);
  EQUAL(allport_now(network, &client->cycle), ALLPORT_OK);
  EQUAL(allport_try_send(network, &one, client->cycle, NULL), ALLPORT_OK);
  client->closed = allport_close(network);
  client->advanced = allport_advance(network, 1000, &count);
  client->copied = allport_copy(network, &network);
}

static void check_room(void) {
  allport_network* network = allport_open("topology=ring:4 ports=1 queue-limit=8");
  allport_message one = message(0, 1, 8);
  struct client client = {0, 0, ALLPORT_OK, ALLPORT_OK, ALLPORT_OK};
  size_t count = 0;
  EQUAL(allport_on_space(network, has_room, &client), ALLPORT_OK);
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_OK);
  one = message(0, 1, 3);
  EQUAL(allport_try_send(network, &one, 0, NULL), ALLPORT_NO_ROOM);
  EQUAL(allport_advance(network, 1000, &count), ALLPORT_OK);
  EQUAL(count, 2);
  EQUAL(client.calls, 1);
  EQUAL(client.cycle, 3);
  EQUAL(client.closed, ALLPORT_WRONG_USE);
  EQUAL(client.advanced, ALLPORT_WRONG_USE);
  EQUAL(client.copied, ALLPORT_WRONG_USE);
  EQUAL(allport_on_space(network, NULL, NULL), ALLPORT_OK);
  EQUAL(allport_close(network), ALLPORT_OK);
}

static void check_deadlock(void) {
  allport_network* network = allport_open("topology=hypercube:2 buffer_depth=1");
  allport_message one = message(0, 0, 3);
  const char* words = "";
  size_t count = 0;
  int is_deadlocked = 1;
  EQUAL(allport_deadlock(network, &is_deadlocked, &words), ALLPORT_OK);
  EQUAL(is_deadlocked, 0);
  TEXT(words, "");
  one.kind = ALLPORT_TREE;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_OK);
  one.source = 2;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_OK);
  EQUAL(allport_advance(network, 1000, &count), ALLPORT_OK);
  EQUAL(allport_deadlock(network, &is_deadlocked, &words), ALLPORT_OK);
  EQUAL(is_deadlocked, 1);
  TEXT(words,
       "0 -> all waits for channel 2 -> 3 (dimension 0), held by 2 -> all\n"
       "2 -> all waits for channel 0 -> 1 (dimension 0), held by 0 -> all\n");
  EQUAL(allport_close(network), ALLPORT_OK);
}

static void check_copy(void) {
  allport_network* network = allport_open("topology=hypercube:3");
  allport_network* copy = NULL;
  allport_message one = message(0, 7, 16);
  allport_delivery delivery;
  size_t count = 0;
  int64_t number = 0;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_OK);
  EQUAL(allport_advance(network, 5, &count), ALLPORT_OK);
  EQUAL(allport_copy(network, &copy), ALLPORT_OK);
  EQUAL(allport_opened(copy), ALLPORT_OK);
  one = message(1, 7, 3);
  EQUAL(allport_send(copy, &one, 6, NULL), ALLPORT_OK);
  EQUAL(allport_close(network), ALLPORT_OK);
  EQUAL(allport_advance(copy, 100, &count), ALLPORT_OK);
  EQUAL(count, 2);
  delivery.size = sizeof delivery;
  EQUAL(allport_get_delivery(copy, 1, &delivery), ALLPORT_OK);
  EQUAL(delivery.tail, 19);
  EQUAL(allport_copy(network, &network), ALLPORT_CLOSED);
  EQUAL(network == NULL, 1);
  EQUAL(allport_copy(copy, NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(copy), "copy: it is NULL");
  EQUAL(allport_copy(copy, &network), ALLPORT_OK);
  EQUAL(allport_get_delivery(network, 0, &delivery), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "delivery 0: the last call has 0 of them");
  EQUAL(allport_now(network, &number), ALLPORT_OK);
  EQUAL(number, 101);
  EQUAL(allport_close(network), ALLPORT_OK);
  EQUAL(allport_close(copy), ALLPORT_OK);
}

static void check_explanation(void) {
  allport_network* network = allport_open("topology=hypercube:3 explain=true");
  allport_message one = message(0, 7, 16);
  const char* text = "";
  size_t count = 0;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_OK);
  EQUAL(allport_advance(network, 99, &count), ALLPORT_OK);
  EQUAL(allport_explain(network, NULL, &text), ALLPORT_OK);
  EQUAL(strstr(text, "\"explanation\":{\"receipts\":1,") != NULL, 1);
  EQUAL(strchr(text, '\n') == NULL, 1);
  EQUAL(allport_explain(network, "message:0>7#0", &text), ALLPORT_OK);
  EQUAL(allport_explain(network, "message:0>7#1", &text), ALLPORT_WRONG_USE);
  TEXT(allport_error(network),
       "message:0>7#1: no such message was received; the nearest is 0>7#0");
  EQUAL(allport_explain(network, "all", NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "text: it is NULL");
  EQUAL(allport_close(network), ALLPORT_OK);
  EQUAL(allport_explain(network, "all", &text), ALLPORT_CLOSED);
}

static void check_results(void) {
  allport_network* network = allport_open("topology=hypercube:3 record=true");
  allport_network* without = allport_open("topology=hypercube:3");
  allport_message one = message(0, 7, 16);
  const char* text = "";
  size_t count = 0;
  EQUAL(allport_send(network, &one, 0, NULL), ALLPORT_OK);
  EQUAL(allport_advance(network, 99, &count), ALLPORT_OK);
  EQUAL(allport_results(network, &text), ALLPORT_OK);
  EQUAL(strstr(text, "\"cycles\":19,\"flit_hops\":48,\"messages\":1,") != NULL, 1);
  EQUAL(strchr(text, '\n') == NULL, 1);
  EQUAL(allport_results(network, NULL), ALLPORT_WRONG_USE);
  TEXT(allport_error(network), "text: it is NULL");
  EQUAL(allport_results(without, &text), ALLPORT_WRONG_USE);
  TEXT(allport_error(without),
       "results: the network keeps no record of its messages; it does where record is true");
  EQUAL(allport_close(network), ALLPORT_OK);
  EQUAL(allport_close(without), ALLPORT_OK);
}

static void check_many(void) {
  int i;
  for (i = 0; i < 10000; ++i) {
    allport_network* network = allport_open("topology=ring:4");
    EQUAL(allport_close(network), ALLPORT_OK);
  }
}

int main(void) {
  EQUAL(strlen(allport_version()) >= 5, 1);
  check_calls();
  check_errors();
  check_handles();
  check_room();
  check_deadlock();
  check_copy();
  check_results();
  check_explanation();
  check_many();
  return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
