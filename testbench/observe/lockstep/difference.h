// SPDX-License-Identifier: Apache-2.0
// A Difference is the first one between a router in RTL and the SystemC router beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rtl_model/systemc/flit.h"

namespace allport {

/// The output registers of a router in one cycle: at most one flit per output, at most one credit
/// per input, and acknowledgements of several of its VCs.
struct RouterOutputs {
  struct SentFlit {
    int output = 0;
    Flit flit;
  };
  struct SentCredit {
    int input = 0;
    int vc = 0;
  };
  std::vector<SentFlit> flits;
  std::vector<SentCredit> credits;
  std::vector<SentCredit> acks;

  void clear() {
    flits.clear();
    credits.clear();
    acks.clear();
  }
};

/// A flit that was on a channel of the router earlier.
struct PassedFlit {
  Cycle cycle = 0;  ///< cycle in which it was on the channel
  bool is_input = false;
  int port = 0;
  Flit flit;
};

struct Difference {
  Cycle cycle = 0;  ///< cycle in which the registers differ: the flit or credit is on the channel
  int trial = 0;
  NodeId node{};
  bool is_credit = false;  ///< on credit or acknowledgement lines of an input, else on an output
  int port = 0;            ///< numbered as in RouterConfig
  int vc = 0;
  std::string place;    ///< `channel 5 -> 6 (+x, VC 0), output 0 of node 5`
  std::string field;    ///< valid, head, tail, vc, kind, length, via, address, ties, data or
                        ///< message; credit or ack; contract: the RTL broke a rule of its channels
  std::string systemc;  ///< what the SystemC router shows there
  std::string rtl;      ///< what the RTL shows
  std::vector<PassedFlit> passed;  ///< the last flits through that VC, oldest first
};

/// A field in which two flits differ, in words.
struct FieldDifference {
  std::string field;
  std::string a;
  std::string b;
};
/// The first difference, in the order of Difference::field; none if the flits are equal.
std::optional<FieldDifference> first_difference(const Flit& a, const Flit& b);

/// The first field in which the two differ; none if they agree. `ports`: the number of ports of the
/// router. Only port, vc, field and values are filled in.
std::optional<Difference> first_difference(const RouterOutputs& systemc, const RouterOutputs& rtl,
                                           int ports);

}  // namespace allport
