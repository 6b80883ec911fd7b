/* SPDX-License-Identifier: Apache-2.0
 *
 * A network that another simulator drives, from C and whatever calls C: the library liballport.so.1
 * (pkg-config allport). docs/guide/embed.md says what each call does.
 *
 * Nodes are 0, 1, ..; cycles are whole numbers from 0 up to 10^18. A call that returns an
 * allport_status returns ALLPORT_OK, or else the network is as it was before, and
 * allport_error(network) is one sentence about it. Any number of networks may be open; each is used
 * by one thread at a time. No exception and no longjmp leaves a call.
 *
 * A structure begins with its size, which the caller sets to sizeof: a later version of the library
 * may add members at the end, and knows by the size which of them the caller has. */
#ifndef ALLPORT_H
#define ALLPORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ALLPORT_API __attribute__((visibility("default")))
#else
#define ALLPORT_API
#endif

/* An open network; one that was closed is recognized. */
typedef struct allport_network allport_network;

typedef enum allport_status {
  ALLPORT_OK = 0,
  ALLPORT_NO_ROOM = 1,   /* of allport_try_send: nothing was sent, for want of room */
  ALLPORT_WRONG_USE = 2, /* the caller asked for what cannot be */
  ALLPORT_CLOSED = 3,    /* the handle is of no open network */
  ALLPORT_FAILED = 4     /* the machine has no memory left, or the library found itself wrong */
} allport_status;

/* What allport_next_event says if nothing will be received. */
#define ALLPORT_NEVER INT64_MAX

typedef enum allport_kind { ALLPORT_UNICAST = 0, ALLPORT_TREE = 1 } allport_kind;

typedef struct allport_message {
  size_t size; /* sizeof(allport_message) */
  uint32_t source;
  uint32_t destination;   /* a tree has none */
  uint64_t bytes;         /* the length, 0 for one flit, unless it is given in flits */
  int64_t flits;          /* the length, 1..10^9; 0: it is given in bytes */
  uint64_t user;          /* comes back with each delivery */
  uint32_t kind;          /* an allport_kind */
  uint32_t free;          /* of a tree: a bit for each free dimension of its group; 0: all */
  uint32_t message_class; /* 0..C-1 */
  uint32_t reserved;      /* 0 */
} allport_message;

typedef struct allport_delivery {
  size_t size; /* sizeof(allport_delivery) */
  uint64_t id; /* what allport_send gave */
  uint64_t user;
  uint32_t source;
  uint32_t destination; /* the node that received it */
  uint32_t port;        /* its ejection channel */
  uint32_t message_class;
  int64_t injected; /* cycle of the head on the injection channel */
  int64_t head;     /* cycle of the head on the ejection channel */
  int64_t tail;     /* cycle of the tail there: it is received */
} allport_delivery;

/* The version of the library, `1.2.0`. */
ALLPORT_API const char* allport_version(void);

/* Opens a network: `options` are KEY=VALUE, separated by blanks, as in "topology=torus:8x8 vcs=2".
 * A VALUE with blanks in it stands in double quotes, in which a quote is written twice.
 * If they are wrong, the handle is good for allport_error and allport_close only. NULL: there is no
 * memory. */
ALLPORT_API allport_network* allport_open(const char* options);
/* Whether the options were right: ALLPORT_OK, or what allport_open met. */
ALLPORT_API allport_status allport_opened(const allport_network* network);
/* Opens an independent network in the same state, of which a client may ask what would happen, and
 * sets `copy` to its handle: from equal calls on both go on alike. Nobody is told of room in it.
 * `copy` is NULL if it is refused, as within an allport_space, and where there is no memory. */
ALLPORT_API allport_status allport_copy(allport_network* network, allport_network** copy);
/* Closes it. */
ALLPORT_API allport_status allport_close(allport_network* network);
/* The sentence of the last call of this network that returned neither ALLPORT_OK nor
 * ALLPORT_NO_ROOM; "" if there was none. It is there until the next call. */
ALLPORT_API const char* allport_error(const allport_network* network);

/* The number of nodes, and the cycle at which the clock stands. */
ALLPORT_API allport_status allport_nodes(allport_network* network, uint32_t* nodes);
ALLPORT_API allport_status allport_now(allport_network* network, int64_t* now);

/* Sends in cycle `at`, now or later. `id`, unless it is NULL, is set to the number of the message.
 */
ALLPORT_API allport_status allport_send(allport_network* network, const allport_message* message,
                                        int64_t at, uint64_t* id);
/* The same, but ALLPORT_NO_ROOM if a limit (queue_limit) leaves no room. */
ALLPORT_API allport_status allport_try_send(allport_network* network,
                                            const allport_message* message, int64_t at,
                                            uint64_t* id);

/* Lets the cycles up to `to` pass; now is `to` + 1 then. `count` is set to the number of messages
 * received. */
ALLPORT_API allport_status allport_advance(allport_network* network, int64_t to, size_t* count);
/* Lets cycles pass up to the first one, `limit` at most, in which anything is received; now is that
 * cycle. If nothing is, it is allport_advance. */
ALLPORT_API allport_status allport_advance_to_delivery(allport_network* network, int64_t limit,
                                                       size_t* count);
/* One of these messages: 0, 1, .., `count` - 1, by cycle, node and port. */
ALLPORT_API allport_status allport_get_delivery(allport_network* network, size_t number,
                                                allport_delivery* delivery);

/* A cycle before which nothing is received unless more is sent, or ALLPORT_NEVER. */
ALLPORT_API allport_status allport_next_event(allport_network* network, int64_t* cycle);
/* Cycles from `at` to the reception of a unicast's head, and of all of it, if it meets nobody. */
ALLPORT_API allport_status allport_lookahead(allport_network* network, uint32_t source,
                                             uint32_t destination, int64_t* cycles);
ALLPORT_API allport_status allport_expected(allport_network* network, uint32_t source,
                                            uint32_t destination, uint64_t bytes, int64_t* cycles);

/* Flits of a message class that wait at a node: sent, and not on an injection channel before now.
 */
ALLPORT_API allport_status allport_queued(allport_network* network, uint32_t node,
                                          uint32_t message_class, int64_t* flits);
/* The most of them (queue_limit); 0: there is no limit. */
ALLPORT_API allport_status allport_limit(allport_network* network, int64_t* flits);
/* From now on `call` is made, with `data`, when there is room again at a node at which
 * allport_try_send had none for a message of the class; NULL: nobody is told. It may send and take;
 * it lets no cycles pass and does not close the network. One in C++ may throw: the call that lets
 * cycles pass fails with the sentence of the exception, and the next one goes on from there, with
 * the deliveries of both. */
typedef void (*allport_space)(void* data, allport_network* network, uint32_t node,
                              uint32_t message_class);
ALLPORT_API allport_status allport_on_space(allport_network* network, allport_space call,
                                            void* data);

/* With reception_limit: `node` takes message `id`, which it has received, out of its reception
 * buffer in cycle now. */
ALLPORT_API allport_status allport_take(allport_network* network, uint64_t id, uint32_t node);
/* With reception_limit: `node` takes nothing of `message_class` before message `id`, which is under
 * way, has been received by all. It changes nothing but what allport_deadlock and allport_results
 * name: the node may still take, and messages may be sent. */
ALLPORT_API allport_status allport_waits_for(allport_network* network, uint32_t node,
                                             uint32_t message_class, uint64_t id);

/* Whether nothing is under way: 1 or 0. */
ALLPORT_API allport_status allport_is_idle(allport_network* network, int* is_idle);
/* Whether messages are left that can never move, 1 or 0, and, in `words` unless it is NULL, who
 * waits for whom, a line for each wait; it is there until the next call. */
ALLPORT_API allport_status allport_deadlock(allport_network* network, int* is_deadlocked,
                                            const char** words);

/* With record or explain: what `allport run --json` tells of the messages so far, as JSON in one
 * line (docs/guide/embed.md); it is there until the next call. */
ALLPORT_API allport_status allport_results(allport_network* network, const char** text);
/* With explain: the same with the `explanation` that `allport explain --json` has. `messages`, of
 * which it lists accounts, are those of --explain: "all", "slowest:10" or "message:5>9#0"; NULL:
 * all. */
ALLPORT_API allport_status allport_explain(allport_network* network, const char* messages,
                                           const char** text);

#ifdef __cplusplus
}
#endif

#endif
