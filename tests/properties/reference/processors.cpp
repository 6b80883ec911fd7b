// SPDX-License-Identifier: Apache-2.0
// This file has a cycle of the processors.
#include "tests/properties/reference/machine.h"

namespace allport::reference {

void Fabric::eject(int node) {
  for (int port = 0; port < ports_; ++port) {
    auto& channel = flit_wires_[wire(node, shape_.ports + port)];
    if (!channel.empty() && channel.front().arrival <= now_) {
      const Flit flit = channel.front().flit;
      const int message_class = channel.front().vc;
      channel.pop_front();
      receive(node, port, message_class, flit);
      if (config_.mode == Mode::circuit && flit.sequence == 0 && !is_tail(flit)) {
        ack_wires_[wire(node, shape_.ports + port)].push_back({now_ + 1, message_class});
        expect_change(now_ + 1);
      }
    }
  }
  auto& receptions = processors_[node].receptions;
  while (!receptions.empty() && receptions.front().cycle == now_) {
    results_.done = now_;
    if (receptions.front().collective != none) obtain(node, receptions.front().collective);
    if (loop_.cycles > 0) answer(node, receptions.front().message);
    receptions.pop_front();
  }
}

void Fabric::receive(int node, int port, int message_class, const Flit& flit) {
  EjectionQueue& ejection = processors_[node].ejection[port][message_class];
  const Message& message = messages_[flit.message];
  promise(message.message_class == message_class, "a flit is in another class");
  ++ejection.owed;
  promise(ejection.owed <= config_.buffer_depth, "a flit is ejected without a credit");
  if (config_.reception_limit > 0) {
    ++ejection.flits;
    promise(ejection.flits <= config_.reception_limit, "a reception buffer overflows");
  }
  if (lists_internal_flits()) {
    results_.ejected.push_back(
        {node, port, message_class, message.name.u, message.name.order, flit.sequence, now_});
  }
  if (flit.sequence == 0) {
    promise(ejection.message == none, "a head is ejected within another message");
    ejection.head = now_;
    ejection.message = flit.message;
    ejection.expected = 0;
  }
  promise(ejection.message == flit.message && ejection.expected == flit.sequence,
          "an ejected flit is out of order");
  ++ejection.expected;
  if (!is_tail(flit)) return;
  ejection.message = none;
  if (config_.reception_limit > 0) {
    Cycle due = now_ + message.take_after;
    if (loop_.cycles > 0) due = message.is_reply ? now_ + config_.tr : none;
    ejection.untaken.push_back({due, flit.message});
    expect_change(due);
  }
  results_.deliveries.push_back({message.name.u, node, message.name.order, ejection.head, now_});
  if (config_.explains) {
    history_.copies.push_back(
        {flit.message, node, flit.hops, shape_.ports + port, ejection.head, now_});
  }
  processors_[node].receptions.push_back({now_ + config_.tr, message.collective, flit.message});
  expect_change(now_ + config_.tr);
}

/// With a reception limit: `node` takes `request` of the loop in `cycle`, which is not over.
void Fabric::take_request(int node, int request, Cycle cycle) {
  int found = 0;
  for (auto& classes : processors_[node].ejection) {
    for (EjectionQueue& queue : classes) {
      for (Untaken& untaken : queue.untaken) {
        if (untaken.message != request) continue;
        untaken.due = cycle;
        ++found;
      }
    }
  }
  promise(found == 1, "a request that is answered is not in one buffer");
  expect_change(cycle);
}

/// Takes what is due and returns credits, after all that can make a message due in this cycle.
void Fabric::make_room(int node) {
  for (int port = 0; port < ports_; ++port) {
    for (int i = 0; i < config_.classes; ++i) {
      take_messages(processors_[node].ejection[port][i]);
      return_credit(node, port, i);
      const bool is_kept = config_.explains && processors_[node].ejection[port][i].owed > 0;
      if (is_kept) history_.cycles.back().kept_back.insert({node, port, i});
    }
  }
}

/// With a reception limit: takes the messages that are due, whatever came before them.
void Fabric::take_messages(EjectionQueue& ejection) {
  std::vector<Untaken> left;
  for (const Untaken& untaken : ejection.untaken) {
    if (untaken.due == none || untaken.due > now_) {
      left.push_back(untaken);
    } else {
      ejection.flits -= messages_[untaken.message].flits;
    }
  }
  ejection.untaken = left;
}

/// Returns one credit that is owed, unless the flit for which it is good might find no place.
void Fabric::return_credit(int node, int port, int message_class) {
  EjectionQueue& ejection = processors_[node].ejection[port][message_class];
  if (ejection.owed == 0) return;
  if (config_.reception_limit > 0) {
    const int out = config_.buffer_depth - ejection.owed;
    if (ejection.flits + out >= config_.reception_limit) return;
    results_.returned.push_back({node, port, message_class, now_ + 1});
  }
  --ejection.owed;
  credit_wires_[wire(node, shape_.ports + port)].push_back({now_ + 1, message_class});
  expect_change(now_ + 1);
}

/// Gives the processor the collective's message; at the first one it begins its program.
void Fabric::obtain(int node, int collective) {
  Processor& processor = processors_[node];
  if (processor.has_collective[collective]) return;
  processor.has_collective[collective] = true;
  if (missing_[collective].erase(node) > 0) {
    results_.latency[collective][node] = now_ - starts_[collective];
  }
  for (const int message : processor.programs[collective]) enqueue(node, message);
}

void Fabric::start_collectives() {
  for (int i = 0; i < static_cast<int>(collectives_.size()); ++i) {
    if (starts_[i] == none || starts_[i] > now_) return;
    if (starts_[i] == now_) {
      for (const int source : collectives_[i].sources) obtain(source, i);
    }
    if (i + 1 == static_cast<int>(starts_.size()) || starts_[i + 1] != none) continue;
    if (!missing_[i].empty()) return;
    starts_[i + 1] = now_ + config_.barrier;
    expect_change(starts_[i + 1]);
  }
}

/// The silent cycles before the next start of the pattern, as docs/guide/randomness.md says it.
Cycle Fabric::draw_silence(int node) {
  __extension__ using Wide = unsigned __int128;
  const Wide two_to_64 = Wide{1} << 64;
  const Wide r_0 = two_to_64 - static_cast<Wide>(pattern_.rate / config_.flits * 0x1p64);
  std::vector<Wide> r{r_0};
  while (r.size() < 60) r.push_back(r.back() * r.back() / two_to_64);
  const Wide u = processors_[node].pattern_source.next();
  Wide x = two_to_64;
  Cycle silence = 0;
  for (int i = 59; i >= 0; --i) {
    const Wide y = x * r[i] / two_to_64;
    if (u >= y) continue;
    x = y;
    silence += Cycle{1} << i;
  }
  return silence;
}

void Fabric::generate(int node) {
  Processor& processor = processors_[node];
  if (processor.silence == none) {
    const bool is_never = pattern_.rate / config_.flits * 0x1p64 < 1;
    processor.silence = is_never ? pattern_.cycles : draw_silence(node);
  }
  if (now_ >= pattern_.cycles || processor.silence-- > 0) return;
  processor.silence = none;
  Line line;
  line.u = node;
  line.v = static_cast<int>(processor.pattern_source.next() %
                            static_cast<std::uint64_t>(shape_.nodes - 1));
  if (line.v >= node) ++line.v;
  line.order = processor.started++;
  if (shape_.wraps) {
    const auto number = static_cast<std::uint64_t>(line.order);
    const std::uint64_t trial = 1048577 + number;
    SplitMix64 coin{(config_.tie_seed * 1000003 + trial) * 1000003 +
                    static_cast<std::uint64_t>(node)};
    line.displacement = tie_broken_displacement(shape_, config_.ties, coin.next(), node, line.v);
  }
  enqueue(node, add_message(line, none));
}

void Fabric::make_request(int node) {
  if (now_ >= loop_.cycles) return;
  Processor& processor = processors_[node];
  Line line;
  line.u = node;
  line.v = static_cast<int>(processor.pattern_source.next() %
                            static_cast<std::uint64_t>(shape_.nodes - 1));
  if (line.v >= node) ++line.v;
  const int message = add_message(line, none);
  messages_[message].made = now_;
  processor.pending.push_back({now_, message});
}

/// `node` has a message of the loop: it replies to a request, and to a reply by the next request.
void Fabric::answer(int node, int message) {
  const Message received = messages_[message];
  if (received.is_reply) {
    results_.round_trips.emplace_back(received.made, now_);
    make_request(node);
    return;
  }
  Line line;
  line.u = node;
  line.v = received.name.u;
  line.flits = loop_.reply_flits;
  line.message_class = config_.classes > 1 ? 1 : 0;
  const int reply = add_message(line, none);
  messages_[reply].is_reply = true;
  messages_[reply].request = message;
  messages_[reply].made = received.made;
  processors_[node].pending.push_back({now_ + loop_.service, reply});
  expect_change(now_ + loop_.service);
}

/// Hands over what is ready: by the cycle from which it is, then in the order in which it was
/// known.
void Fabric::send_pending(int node) {
  std::vector<Pending>& pending = processors_[node].pending;
  std::stable_sort(pending.begin(), pending.end(),
                   [](const Pending& a, const Pending& b) { return a.ready < b.ready; });
  while (!pending.empty() && pending.front().ready <= now_) {
    const int message = pending.front().message;
    pending.erase(pending.begin());
    messages_[message].name.order = processors_[node].started++;
    enqueue(node, message);
  }
}

void Fabric::enqueue(int node, int index) {
  Processor& processor = processors_[node];
  Message& message = messages_[index];
  const Cycle begun = std::max({processor.prepared_until, now_, message.at});
  processor.prepared_until = begun + config_.ts;
  if (config_.reception_limit > 0 && message.is_reply) {
    take_request(node, message.request, processor.prepared_until);
  }
  message.earliest = processor.prepared_until + message.jitter;
  const bool has_route = !message.path.empty() && message.kind != Kind::path;
  const int port = has_route ? message.path.front().port % ports_of(node) : 0;
  processor.injection[port].classes[message.message_class].queue.push_back(index);
  if (config_.explains) record_message(index, port, begun);
  expect_change(message.earliest);
}

/// Puts a flit on the injection channel, and into the buffer behind it, in the cycle in which it is
/// sent: that of the first class whose next flit may go, from the pointer on.
void Fabric::inject(int node) {
  for (int p = 0; p < ports_; ++p) {
    InjectionPort& port = processors_[node].injection[p];
    for (InjectionQueue& queue : port.classes) {
      while (!queue.returning.empty() && queue.returning.front() <= now_) {
        queue.returning.pop_front();
        ++queue.credits;
      }
      if (!config_.explains || queue.queue.empty()) continue;
      const auto message_class = static_cast<int>(&queue - port.classes.data());
      const bool is_acknowledged = queue.acknowledged != none && now_ >= queue.acknowledged;
      history_.cycles.back().ports[{node, p, message_class}] = {
          queue.queue.front(), queue.credits, queue.awaits_ack && !is_acknowledged};
    }
    for (int i = 0; i < config_.classes; ++i) {
      const int message_class = (port.pointer + i) % config_.classes;
      if (!may_inject(port.classes[message_class])) continue;
      inject(node, p, message_class);
      port.pointer = (message_class + 1) % config_.classes;
      break;
    }
  }
}

bool Fabric::may_inject(const InjectionQueue& queue) const {
  if (queue.queue.empty() || queue.credits == 0) return false;
  const Message& message = messages_[queue.queue.front()];
  if (queue.sent == 0 && now_ < message.earliest) return false;
  if (queue.sent == 0 && is_for_whole_messages() && queue.credits < message.flits) return false;
  return !queue.awaits_ack || (queue.acknowledged != none && now_ >= queue.acknowledged);
}

void Fabric::inject(int node, int port, int message_class) {
  InjectionQueue& queue = processors_[node].injection[port].classes[message_class];
  const Message& message = messages_[queue.queue.front()];
  if (queue.awaits_ack) {
    queue.awaits_ack = false;
    queue.acknowledged = none;
  }
  if (config_.explains) history_.cycles.back().injecting[{node, port}] = message.flies_as;
  store(node, shape_.ports + port, message_class, {message.flies_as, queue.sent, 0, now_});
  if (lists_internal_flits()) {
    results_.injected.push_back(
        {node, port, message_class, message.name.u, message.name.order, queue.sent, now_});
  }
  last_movement_ = now_;
  --queue.credits;
  if (++queue.sent == 1) queue.awaits_ack = config_.mode == Mode::circuit && message.flits > 1;
  if (queue.sent < message.flits) return;
  queue.queue.pop_front();
  queue.sent = 0;
}

}  // namespace allport::reference
