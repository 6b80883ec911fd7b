// SPDX-License-Identifier: Apache-2.0
// The functions of allport.h over a Network. A handle is no address but a number, of a place in a
// table and of its use, so that one which was closed, or never was one, is recognized.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/range.h"
#include "testbench/network/c/allport.h"
#include "testbench/network/network.h"
#include "testbench/network/network_options.h"
#include "testbench/network/network_results.h"

namespace allport {

namespace {

// What a handle stands for.
struct Opened {
  std::optional<Network> network;  // none: the options were wrong
  allport_status opened = ALLPORT_OK;
  const std::vector<NetworkDelivery>* deliveries = nullptr;
  std::string error;
  std::string words;  // of the deadlock
  std::string results;
  bool is_advancing = false;  // whether a call that lets cycles pass is under way
};

// A place of the table. Its use is odd while it is open.
struct Place {
  std::atomic<std::uint64_t> use{0};
  std::unique_ptr<Opened> opened;
};

constexpr std::uint64_t places_per_block = 1024;
constexpr std::uint64_t most_blocks = 1024;
constexpr int place_bits = 20;
static_assert(places_per_block * most_blocks == std::uint64_t{1} << place_bits);

struct Table {
  std::mutex mutex;  // of what is opened and closed
  std::vector<std::uint64_t> free;
  std::uint64_t count = 0;  // places that exist
  std::array<std::atomic<Place*>, most_blocks> blocks{};

  ~Table() {
    for (auto& block : blocks) delete[] block.load();
  }
  Place& operator[](std::uint64_t place) {
    return blocks[place / places_per_block].load()[place % places_per_block];
  }
};

Table& table() {
  static Table one;
  return one;
}

std::uint64_t number_of(const allport_network* handle) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle));
}

// The place of a handle that is open; null: it is of no open network.
Place* place_of(const allport_network* handle) {
  const std::uint64_t number = number_of(handle);
  const std::uint64_t at = number & ((std::uint64_t{1} << place_bits) - 1);
  Place* const block = table().blocks[at / places_per_block].load(std::memory_order_acquire);
  if (block == nullptr) return nullptr;
  Place& place = block[at % places_per_block];
  const std::uint64_t use = number >> place_bits;
  const bool is_open = use % 2 != 0 && place.use.load(std::memory_order_acquire) == use;
  return is_open ? &place : nullptr;
}

Opened* opened_of(const allport_network* handle) {
  Place* const place = place_of(handle);
  return place == nullptr ? nullptr : place->opened.get();
}

allport_network* open_place(std::unique_ptr<Opened> opened) {
  Table& places = table();
  const std::lock_guard<std::mutex> lock(places.mutex);
  if (places.free.empty()) {
    if (places.count == places_per_block * most_blocks) return nullptr;
    const std::uint64_t block = places.count / places_per_block;
    places.free.reserve(places.count + places_per_block);
    if (places.blocks[block].load() == nullptr) {
      places.blocks[block].store(new Place[places_per_block], std::memory_order_release);
    }
    places.free.push_back(places.count++);
  }
  const std::uint64_t at = places.free.back();
  places.free.pop_back();
  Place& place = places[at];
  place.opened = std::move(opened);
  const std::uint64_t use = place.use.load() + 1;
  place.use.store(use, std::memory_order_release);
  return reinterpret_cast<allport_network*>(static_cast<std::uintptr_t>(use << place_bits | at));
}

// Puts a sentence into the handle; without memory, none.
void note(Opened& opened, const char* sentence) noexcept {
  try {
    opened.error = sentence;
  } catch (...) {
    opened.error.clear();
  }
}

// Runs `action`, and puts what it throws into the handle.
template <class Action>
allport_status carry_out(Opened& opened, Action action) {
  try {
    action();
    return ALLPORT_OK;
  } catch (const std::invalid_argument& error) {
    note(opened, error.what());
    return ALLPORT_WRONG_USE;
  } catch (const std::bad_alloc&) {
    note(opened, "there is no memory left");
  } catch (const std::exception& error) {
    note(opened, error.what());
  } catch (...) {
    note(opened, "the library met something that it does not know");
  }
  return ALLPORT_FAILED;
}

void require(const void* pointer, const char* name) {
  if (pointer != nullptr) return;
  throw std::invalid_argument(std::string(name) + ": it is NULL");
}

// Runs `action` on the network of a handle.
template <class Action>
allport_status call(const allport_network* handle, Action action) {
  Opened* const opened = opened_of(handle);
  if (opened == nullptr) return ALLPORT_CLOSED;
  if (!opened->network) return opened->opened;
  return carry_out(*opened, [&] { action(*opened->network, *opened); });
}

// The network knows how many it has; none has these.
int class_of(std::uint32_t number) {
  if (number <= std::numeric_limits<int>::max()) return static_cast<int>(number);
  throw std::invalid_argument("class " + std::to_string(number) +
                              ": must be one of the classes of the network, " +
                              std::to_string(limits::classes.high) + " at most");
}

// Reads a message of a caller who knows the first members, or later ones too.
NetworkMessage message_of(const allport_message* given) {
  require(given, "message");
  constexpr std::size_t least = offsetof(allport_message, message_class);
  if (given->size < least) {
    throw std::invalid_argument("message: its size is " + std::to_string(given->size) +
                                ", and must be sizeof(allport_message), " +
                                std::to_string(sizeof(allport_message)) + ", or in old programs " +
                                std::to_string(least) + " at least");
  }
  NetworkMessage message;
  message.source = node_id(given->source);
  message.destination = node_id(given->destination);
  message.bytes = given->bytes;
  message.flits = given->flits;
  message.user = given->user;
  message.free = given->free;
  if (given->kind > ALLPORT_TREE) {
    throw std::invalid_argument("kind " + std::to_string(given->kind) +
                                ": must be ALLPORT_UNICAST or ALLPORT_TREE");
  }
  message.kind = given->kind == ALLPORT_TREE ? MessageKind::tree : MessageKind::unicast;
  if (given->size >= sizeof(allport_message)) {
    if (given->reserved != 0) {
      throw std::invalid_argument("reserved " + std::to_string(given->reserved) + ": must be 0");
    }
    message.message_class = class_of(given->message_class);
  }
  return message;
}

// Notes that a call that lets cycles pass is under way, and that it is over.
class Advancing {
 public:
  explicit Advancing(Opened& opened) : opened_(opened), before_(opened.is_advancing) {
    opened_.is_advancing = true;
  }
  ~Advancing() { opened_.is_advancing = before_; }
  Advancing(const Advancing&) = delete;
  Advancing& operator=(const Advancing&) = delete;

 private:
  Opened& opened_;
  const bool before_;
};

allport_status advance(const allport_network* handle, std::size_t* count, std::int64_t cycle,
                       const std::vector<NetworkDelivery>& (Network::*by)(Cycle)) {
  return call(handle, [&](Network& network, Opened& opened) {
    require(count, "count");
    const Advancing advancing(opened);
    opened.deliveries = &(network.*by)(cycle);
    *count = opened.deliveries->size();
  });
}

}  // namespace

}  // namespace allport

using allport::Network;
using allport::node_id;
using allport::Opened;

const char* allport_version(void) { return ALLPORT_VERSION; }

allport_network* allport_open(const char* options) {
  try {
    auto opened = std::make_unique<Opened>();
    opened->opened = allport::carry_out(*opened, [&] {
      allport::require(options, "options");
      opened->network.emplace(allport::read_network_request(options));
    });
    return allport::open_place(std::move(opened));
  } catch (...) {
    return nullptr;
  }
}

allport_status allport_opened(const allport_network* network) {
  const Opened* const opened = allport::opened_of(network);
  return opened == nullptr ? ALLPORT_CLOSED : opened->opened;
}

allport_status allport_copy(allport_network* network, allport_network** copy) {
  if (copy != nullptr) *copy = nullptr;
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(copy, "copy");
    auto opened = std::make_unique<Opened>();
    opened->network.emplace(one.copy());
    *copy = allport::open_place(std::move(opened));
    if (*copy == nullptr) throw std::runtime_error("2^20 networks are open");
  });
}

allport_status allport_close(allport_network* network) {
  allport::Place* const place = allport::place_of(network);
  if (place == nullptr) return ALLPORT_CLOSED;
  if (place->opened->is_advancing) {
    allport::note(*place->opened, "a call-back that is told of room may send, but does not close");
    return ALLPORT_WRONG_USE;
  }
  const std::lock_guard<std::mutex> lock(allport::table().mutex);
  place->use.fetch_add(1);
  place->opened.reset();
  allport::table().free.push_back(allport::number_of(network) &
                                  ((std::uint64_t{1} << allport::place_bits) - 1));
  return ALLPORT_OK;
}

const char* allport_error(const allport_network* network) {
  const Opened* const opened = allport::opened_of(network);
  return opened == nullptr ? "the handle is of no open network" : opened->error.c_str();
}

allport_status allport_nodes(allport_network* network, uint32_t* nodes) {
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(nodes, "nodes");
    *nodes = static_cast<std::uint32_t>(one.topology().node_count());
  });
}

allport_status allport_now(allport_network* network, int64_t* now) {
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(now, "now");
    *now = one.now();
  });
}

allport_status allport_send(allport_network* network, const allport_message* message, int64_t at,
                            uint64_t* id) {
  return allport::call(network, [&](Network& one, Opened&) {
    const std::uint64_t number = one.send(allport::message_of(message), at);
    if (id != nullptr) *id = number;
  });
}

allport_status allport_try_send(allport_network* network, const allport_message* message,
                                int64_t at, uint64_t* id) {
  bool has_room = true;
  const allport_status status = allport::call(network, [&](Network& one, Opened&) {
    const auto number = one.try_send(allport::message_of(message), at);
    has_room = number.has_value();
    if (number && id != nullptr) *id = *number;
  });
  return status == ALLPORT_OK && !has_room ? ALLPORT_NO_ROOM : status;
}

allport_status allport_advance(allport_network* network, int64_t to, size_t* count) {
  return allport::advance(network, count, to, &Network::advance);
}

allport_status allport_advance_to_delivery(allport_network* network, int64_t limit, size_t* count) {
  return allport::advance(network, count, limit, &Network::advance_to_delivery);
}

allport_status allport_get_delivery(allport_network* network, size_t number,
                                    allport_delivery* delivery) {
  return allport::call(network, [&](Network&, Opened& opened) {
    allport::require(delivery, "delivery");
    if (delivery->size < sizeof(allport_delivery)) {
      throw std::invalid_argument("delivery: its size is " + std::to_string(delivery->size) +
                                  ", and must be sizeof(allport_delivery), " +
                                  std::to_string(sizeof(allport_delivery)) + " at least");
    }
    const std::size_t count = opened.deliveries == nullptr ? 0 : opened.deliveries->size();
    if (number >= count) {
      throw std::invalid_argument("delivery " + std::to_string(number) + ": the last call has " +
                                  std::to_string(count) + " of them");
    }
    const allport::NetworkDelivery& from = (*opened.deliveries)[number];
    *delivery = {delivery->size,
                 from.id,
                 from.user,
                 static_cast<std::uint32_t>(index(from.source)),
                 static_cast<std::uint32_t>(index(from.destination)),
                 static_cast<std::uint32_t>(from.port),
                 static_cast<std::uint32_t>(from.message_class),
                 from.injected,
                 from.head,
                 from.tail};
  });
}

allport_status allport_next_event(allport_network* network, int64_t* cycle) {
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(cycle, "cycle");
    *cycle = one.next_event();
  });
}

allport_status allport_lookahead(allport_network* network, uint32_t source, uint32_t destination,
                                 int64_t* cycles) {
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(cycles, "cycles");
    *cycles = one.lookahead(node_id(source), node_id(destination));
  });
}

allport_status allport_expected(allport_network* network, uint32_t source, uint32_t destination,
                                uint64_t bytes, int64_t* cycles) {
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(cycles, "cycles");
    *cycles = one.expected(node_id(source), node_id(destination), bytes);
  });
}

allport_status allport_queued(allport_network* network, uint32_t node, uint32_t message_class,
                              int64_t* flits) {
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(flits, "flits");
    *flits = one.queued(node_id(node), allport::class_of(message_class));
  });
}

allport_status allport_take(allport_network* network, uint64_t id, uint32_t node) {
  return allport::call(network, [&](Network& one, Opened&) { one.take(id, node_id(node)); });
}

allport_status allport_waits_for(allport_network* network, uint32_t node, uint32_t message_class,
                                 uint64_t id) {
  return allport::call(network, [&](Network& one, Opened&) {
    one.waits_for(node_id(node), allport::class_of(message_class), id);
  });
}

allport_status allport_limit(allport_network* network, int64_t* flits) {
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(flits, "flits");
    *flits = one.limit().value_or(0);
  });
}

allport_status allport_on_space(allport_network* network, allport_space call, void* data) {
  return allport::call(network, [&](Network& one, Opened&) {
    if (call == nullptr) {
      one.on_space(nullptr);
      return;
    }
    one.on_space([network, call, data](allport::NodeId node, int message_class) {
      call(data, network, static_cast<std::uint32_t>(index(node)),
           static_cast<std::uint32_t>(message_class));
    });
  });
}

allport_status allport_is_idle(allport_network* network, int* is_idle) {
  return allport::call(network, [&](Network& one, Opened&) {
    allport::require(is_idle, "is_idle");
    *is_idle = one.is_idle() ? 1 : 0;
  });
}

allport_status allport_deadlock(allport_network* network, int* is_deadlocked, const char** words) {
  return allport::call(network, [&](Network& one, Opened& opened) {
    allport::require(is_deadlocked, "is_deadlocked");
    const auto deadlock = one.deadlock();
    opened.words.clear();
    for (std::size_t i = 0; deadlock && i < deadlock->circle.size(); ++i) {
      opened.words += deadlock->circle[i].words + "\n";
    }
    *is_deadlocked = deadlock ? 1 : 0;
    if (words != nullptr) *words = opened.words.c_str();
  });
}

allport_status allport_results(allport_network* network, const char** text) {
  return allport::call(network, [&](Network& one, Opened& opened) {
    allport::require(text, "text");
    opened.results = allport::results_text(one);
    *text = opened.results.c_str();
  });
}

allport_status allport_explain(allport_network* network, const char* messages, const char** text) {
  return allport::call(network, [&](Network& one, Opened& opened) {
    allport::require(text, "text");
    opened.results = allport::explained_text(one, messages == nullptr ? "all" : messages);
    *text = opened.results.c_str();
  });
}
