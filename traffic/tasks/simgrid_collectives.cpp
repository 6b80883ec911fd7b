// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "traffic/tasks/simgrid_action.h"

namespace allport {

namespace {

// The arguments of a collective, in their order.
struct Form {
  std::string_view name;
  Operation operation;
  std::string_view arguments;  // s, r: elements sent, received; S, R: of each rank; b: of a buffer,
                               // which count for nothing; f: flops; then what may be left out:
                               // o: root; t: datatype sent, u: received; d: displacements
  CallKind kind = CallKind::operation;
};

constexpr std::array<Form, 15> forms{{
    {"barrier", Operation::barrier, ""},
    {"bcast", Operation::bcast, "sot"},
    {"reduce", Operation::reduce, "sfot"},
    {"allreduce", Operation::allreduce, "sft"},
    {"alltoall", Operation::alltoall, "srtu"},
    {"alltoallv", Operation::alltoall, "bSbRtu"},
    {"gather", Operation::gather, "srotu"},
    {"gatherv", Operation::gather, "sRotu"},
    {"allgather", Operation::allgather, "srtu"},
    {"allgatherv", Operation::allgather, "sRtud"},
    {"scatter", Operation::scatter, "srotu"},
    {"scatterv", Operation::scatter, "Srotu"},
    {"reducescatter", Operation::reduce_scatter, "Sft"},
    {"scan", Operation::allreduce, "sft", CallKind::scan},
    {"exscan", Operation::allreduce, "sft", CallKind::exscan},
}};

bool may_be_left_out(char argument) {
  return argument == 'o' || argument == 't' || argument == 'u' || argument == 'd';
}

// The words that `argument` is.
std::size_t words_of(char argument, std::uint32_t ranks) {
  return argument == 'S' || argument == 'R' || argument == 'd' ? ranks : 1;
}

// Reads the arguments of one line into a call.
class CallReader {
 public:
  CallReader(const SimgridAction& action, std::uint32_t ranks, std::uint64_t default_value,
             CollectiveCall& call, double& flops)
      : action_(action),
        ranks_(ranks),
        call_(call),
        flops_(flops),
        sent_(default_value),
        received_(default_value) {}

  void read(std::string_view arguments) {
    std::size_t least = 0;
    std::size_t most = 0;
    for (const char argument : arguments) {
      most += words_of(argument, ranks_);
      if (!may_be_left_out(argument)) least += words_of(argument, ranks_);
    }
    action_.require_count(least, most);
    // Displacements may come without datatypes: more words than the two datatypes are.
    const bool has_bare_displacements =
        arguments.back() == 'd' && action_.count() > least + 2 && action_.count() < most;
    if (has_bare_displacements) {
      action_.require_count(least + ranks_, least + ranks_);
      arguments = arguments.substr(0, arguments.find('t'));
    }
    for (const char argument : arguments) {
      if (place_ >= action_.count()) break;
      read_one(argument);
    }
    for (std::uint64_t& bytes : call_.sends) bytes *= sent_;
    for (std::uint64_t& bytes : call_.receives) bytes *= received_;
  }

 private:
  void read_one(char argument) {
    const std::size_t words = words_of(argument, ranks_);
    switch (argument) {
      case 's':
      case 'S':
        for (std::size_t i = 0; i < words; ++i) {
          call_.sends.push_back(action_.elements(place_ + i));
        }
        break;
      case 'r':
      case 'R':
        for (std::size_t i = 0; i < words; ++i) {
          call_.receives.push_back(action_.elements(place_ + i));
        }
        break;
      case 'f':
        flops_ = action_.real(place_, "a number of operations");
        break;
      case 'o':
        call_.root = static_cast<std::uint32_t>(action_.integer(place_, "the root", 0, ranks_ - 1));
        break;
      case 't':
        sent_ = action_.datatype(place_, sent_);
        break;
      case 'u':
        received_ = action_.datatype(place_, received_);
        break;
      default:
        break;
    }
    place_ += words;
  }

  const SimgridAction& action_;
  std::uint32_t ranks_;
  CollectiveCall& call_;
  double& flops_;
  std::uint64_t sent_;
  std::uint64_t received_;
  std::size_t place_ = 0;
};

// What a rank says of others' blocks counts where the operation has them only.
void forget_others(CollectiveCall& call, std::uint32_t rank) {
  const bool is_root = rank == call.root;
  if (call.operation == Operation::gather && !is_root) call.receives.clear();
  if (call.operation == Operation::scatter && !is_root) call.sends.clear();
}

}  // namespace

bool read_simgrid_collective(const SimgridAction& action, std::uint32_t ranks,
                             std::uint64_t default_value, CollectiveCall& call, double& flops) {
  const auto* form = std::find_if(forms.begin(), forms.end(),
                                  [&](const Form& one) { return one.name == action.name(); });
  if (form == forms.end()) return false;
  call.operation = form->operation;
  call.kind = form->kind;
  if (form->arguments.empty()) {
    action.require_count(0, 0);
  } else {
    CallReader(action, ranks, default_value, call, flops).read(form->arguments);
  }
  forget_others(call, action.rank());
  return true;
}

const std::vector<std::string_view>& simgrid_collectives() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    all.reserve(forms.size());
    for (const Form& form : forms) all.push_back(form.name);
    return all;
  }();
  return names;
}

}  // namespace allport
