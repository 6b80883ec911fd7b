// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/split_mix.h"
#include "traffic/programs/template_matching.h"

namespace allport {

TemplateProblem TemplateProblem::random(std::uint32_t image_side, std::uint32_t template_side,
                                        std::uint64_t seed) {
  TemplateProblem problem{image_side, template_side, {}, {}};
  SplitMix64 generator(seed);
  problem.image.resize(static_cast<std::size_t>(image_side) * image_side);
  problem.mask.resize(static_cast<std::size_t>(template_side) * template_side);
  for (std::int32_t& one : problem.image) one = static_cast<std::int32_t>(generator.next() % 256);
  for (std::int32_t& one : problem.mask) one = static_cast<std::int32_t>(generator.next() % 256);
  return problem;
}

Values convolve(const TemplateProblem& problem) {
  const std::uint32_t n = problem.image_side;
  const std::uint32_t m = problem.template_side;
  Values result(static_cast<std::size_t>(n) * n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      for (std::uint32_t s = 0; s < m; ++s) {
        for (std::uint32_t t = 0; t < m; ++t) {
          result[i * n + j] +=
              problem.image[(i + s) % n * n + (j + t) % n] * problem.mask[s * m + t];
        }
      }
    }
  }
  return result;
}

}  // namespace allport
