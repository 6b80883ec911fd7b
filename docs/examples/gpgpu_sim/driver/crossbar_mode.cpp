// SPDX-License-Identifier: Apache-2.0
#include "crossbar_mode.h"

#include <deque>
#include <utility>
#include <vector>

#include "icnt_wrapper.h"

namespace {

constexpr std::size_t room = 16;  // packets of a queue

struct Crossbar {
  std::vector<std::deque<std::pair<unsigned, void*>>> sent;  // by device: to whom, and what
  std::vector<std::deque<void*>> received;
  std::vector<bool> has_received;  // in this cycle
  std::size_t first = 0;           // whose turn it is
  std::size_t packets = 0;

  void transfer() {
    has_received.assign(sent.size(), false);
    for (std::size_t i = 0; i < sent.size(); ++i) {
      auto& queue = sent[(first + i) % sent.size()];
      if (queue.empty() || has_received[queue.front().first]) continue;
      has_received[queue.front().first] = true;
      received[queue.front().first].push_back(queue.front().second);
      queue.pop_front();
    }
    first = (first + 1) % sent.size();
  }

  void* pop(unsigned output) {
    if (received[output].empty()) return nullptr;
    void* const data = received[output].front();
    received[output].pop_front();
    --packets;
    return data;
  }
};

Crossbar crossbar;

}  // namespace

void crossbar_mode() {
  icnt_create = [](unsigned shaders, unsigned memories) {
    crossbar = Crossbar();
    crossbar.sent.resize(shaders + memories);
    crossbar.received.resize(shaders + memories);
  };
  icnt_init = [] {};
  icnt_has_buffer = [](unsigned input, unsigned) { return crossbar.sent[input].size() < room; };
  icnt_push = [](unsigned input, unsigned output, void* data, unsigned) {
    crossbar.sent[input].emplace_back(output, data);
    ++crossbar.packets;
  };
  icnt_pop = [](unsigned output) { return crossbar.pop(output); };
  icnt_transfer = [] { crossbar.transfer(); };
  icnt_busy = [] { return crossbar.packets > 0; };
  icnt_display_stats = [] {};
  icnt_display_overall_stats = [] {};
  icnt_display_state = [](std::FILE*) {};
  icnt_get_flit_size = [] { return 40U; };
}
