// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/interval_cut.h"

namespace allport {

namespace {

// Of the positions on one side of a holder.
struct Sizes {
  int kept;
  int near;
  int far;
};

Sizes sizes_of(int count, int parts_per_side, bool is_last_step) {
  const int kept = count / (2 * parts_per_side + 1);
  const int rest = count - kept;
  if (parts_per_side == 1) return {kept, rest, 0};
  const bool is_one_part = !is_last_step && rest / 2 == 1;
  return is_one_part ? Sizes{kept, rest, 0} : Sizes{kept, (rest + 1) / 2, rest / 2};
}

}  // namespace

std::vector<Handover> cut(Interval& own, int parts_per_side, bool is_last_step) {
  std::vector<Handover> handovers;
  for (const int sign : {1, -1}) {
    int& count = sign > 0 ? own.above : own.below;
    const Sizes sizes = sizes_of(count, parts_per_side, is_last_step);
    int before = sizes.kept;
    for (const int size : {sizes.near, sizes.far}) {
      if (size == 0) continue;
      const int inner = (size - 1) / 2;
      const int outer = size / 2;
      Handover handover{{own.at + sign * (before + 1 + inner), sign > 0 ? inner : outer,
                         sign > 0 ? outer : inner},
                        before > sizes.kept};
      handovers.push_back(handover);
      before += size;
    }
    count = sizes.kept;
  }
  return handovers;
}

int ceil_logarithm(int base, int count) {
  int exponent = 0;
  for (long long reach = 1; reach < count; reach *= base) ++exponent;
  return exponent;
}

}  // namespace allport
