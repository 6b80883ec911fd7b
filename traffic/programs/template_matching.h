// SPDX-License-Identifier: Apache-2.0
// This program is the template matching of [Ranka88] section 3. C2D(i, j) is the sum over s, t < m
// of I((i + s) mod n, (j + t) mod n) T(s, t). The image is cut into squares on a Gray-code mesh; a
// rank does what its own image values contribute, and sends its neighbours in the north, west and
// northwest what belongs to them (figures 7 and 8); or it is sent their image values (way 1); or it
// has a copy of all it needs (figure 11). The host sends the template (figure 9).
#pragma once

#include <cstdint>

#include "traffic/programs/host_use.h"
#include "traffic/programs/rank.h"

namespace allport {

enum class TemplateVersion {
  separate,     ///< figure 7: computes everything, then sends
  overlapping,  ///< figure 8: sends each part as soon as it is computed
  replicated,   ///< figure 11: has its neighbours' image values, and sends nothing
  images,       ///< way (1): sends its image values first, and computes its own part
};

/// What the operations of the program take, in microseconds.
struct TemplateCosts {
  double addition = 11.2;        ///< [Ranka88, fig. 5(a)]
  double multiplication = 14.7;  ///< [Ranka88, fig. 5(a)]
  double row = 0;                ///< beginning a row of the template at a point of the image
};

struct TemplateProblem {
  std::uint32_t image_side = 0;     ///< n: a multiple of the mesh's sides
  std::uint32_t template_side = 0;  ///< m: 1 to the side of a rank's square
  Values image;                     ///< n x n
  Values mask;                      ///< m x m: the template

  static TemplateProblem random(std::uint32_t image_side, std::uint32_t template_side,
                                std::uint64_t seed);
};

/// C2D by one processor, as it is defined.
Values convolve(const TemplateProblem& problem);

struct TemplateRun {
  Values result;  ///< C2D, put together from all ranks
  TaskGraph tasks;
};

/// The program on `ranks` ranks, a power of two. With a host that gets the results, it puts them
/// together. Throws std::invalid_argument, one sentence, where the sides do not fit, or a sum may
/// be above 2^31 - 1.
TemplateRun run_template(const TemplateProblem& problem, TemplateVersion version,
                         std::uint32_t ranks, const ProgramCosts& costs, const TemplateCosts& times,
                         HostUse host = HostUse::none);

}  // namespace allport
