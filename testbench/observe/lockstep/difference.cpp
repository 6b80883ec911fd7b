// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/lockstep/difference.h"

#include <algorithm>
#include <sstream>

namespace allport {

namespace {

const Flit* flit_on(const RouterOutputs& outputs, int output) {
  for (const RouterOutputs::SentFlit& sent : outputs.flits) {
    if (sent.output == output) return &sent.flit;
  }
  return nullptr;
}

std::optional<int> credit_on(const RouterOutputs& outputs, int input) {
  for (const RouterOutputs::SentCredit& sent : outputs.credits) {
    if (sent.input == input) return sent.vc;
  }
  return std::nullopt;
}

// The VCs of `input` that receive an acknowledgement.
std::uint32_t acks_on(const RouterOutputs& outputs, int input) {
  std::uint32_t vcs = 0;
  for (const RouterOutputs::SentCredit& sent : outputs.acks) {
    if (sent.input == input) vcs |= 1U << sent.vc;
  }
  return vcs;
}

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

std::string list(ViaList via) {
  std::string text = "(";
  for (const NodeId node : via.nodes()) text += (text.size() > 1 ? " " : "") + number(index(node));
  return text + ")";
}

// Fields of two flits, in the order in which they are compared.
std::vector<FieldDifference> fields(const Flit& a, const Flit& b) {
  return {{"vc", number(index(a.vc)), number(index(b.vc))},
          {"head", number(a.head ? 1 : 0), number(b.head ? 1 : 0)},
          {"tail", number(a.tail ? 1 : 0), number(b.tail ? 1 : 0)},
          {"kind", number(static_cast<std::uint64_t>(a.kind)),
           number(static_cast<std::uint64_t>(b.kind))},
          {"length", number(a.length), number(b.length)},
          {"via", list(a.via), list(b.via)},
          {"address", number(index(a.address)), number(index(b.address))},
          {"ties", number(a.ties), number(b.ties)},
          {"data", hexadecimal(a.data), hexadecimal(b.data)},
          {"message", number(static_cast<std::uint32_t>(a.message)),
           number(static_cast<std::uint32_t>(b.message))}};
}

std::string in_words(const Flit* flit) {
  if (flit == nullptr) return "0";
  std::ostringstream text;
  text << "1 (" << *flit << ")";
  return text.str();
}

std::optional<Difference> difference_at_output(const Flit* systemc, const Flit* rtl) {
  Difference difference;
  if ((systemc == nullptr) != (rtl == nullptr)) {
    difference.field = "valid";
    difference.vc = static_cast<int>(index((systemc != nullptr ? systemc : rtl)->vc));
    difference.systemc = in_words(systemc);
    difference.rtl = in_words(rtl);
    return difference;
  }
  if (systemc == nullptr) return std::nullopt;
  const std::optional<FieldDifference> first = first_difference(*systemc, *rtl);
  if (!first) return std::nullopt;
  difference.field = first->field;
  difference.vc = static_cast<int>(index(systemc->vc));
  difference.systemc = first->a;
  difference.rtl = first->b;
  return difference;
}

}  // namespace

std::optional<FieldDifference> first_difference(const Flit& a, const Flit& b) {
  if (a == b) return std::nullopt;
  const std::vector<FieldDifference> all = fields(a, b);
  const auto first = std::find_if(all.begin(), all.end(),
                                  [](const FieldDifference& field) { return field.a != field.b; });
  if (first == all.end()) return std::nullopt;
  return *first;
}

std::optional<Difference> first_difference(const RouterOutputs& systemc, const RouterOutputs& rtl,
                                           int ports) {
  for (int port = 0; port < ports; ++port) {
    auto difference = difference_at_output(flit_on(systemc, port), flit_on(rtl, port));
    if (difference) {
      difference->port = port;
      return difference;
    }
  }
  for (int port = 0; port < ports; ++port) {
    const std::optional<int> expected = credit_on(systemc, port);
    const std::optional<int> found = credit_on(rtl, port);
    if (expected == found) continue;
    Difference difference;
    difference.is_credit = true;
    difference.port = port;
    difference.vc = expected.value_or(found.value_or(0));
    difference.field = expected && found ? "credit_vc" : "credit";
    difference.systemc = expected && found ? number(static_cast<std::uint64_t>(*expected))
                                           : number(expected ? 1 : 0);
    difference.rtl =
        expected && found ? number(static_cast<std::uint64_t>(*found)) : number(found ? 1 : 0);
    return difference;
  }
  for (int port = 0; port < ports; ++port) {
    const std::uint32_t expected = acks_on(systemc, port);
    const std::uint32_t differing = expected ^ acks_on(rtl, port);
    if (differing == 0) continue;
    Difference difference;
    difference.is_credit = true;
    difference.port = port;
    difference.vc = __builtin_ctz(differing);
    difference.field = "ack";
    difference.systemc = number(expected >> difference.vc & 1U);
    difference.rtl = number(~expected >> difference.vc & 1U);
    return difference;
  }
  return std::nullopt;
}

}  // namespace allport
