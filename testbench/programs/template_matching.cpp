// SPDX-License-Identifier: Apache-2.0
#include "testbench/programs/template_matching.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "rtl_model/base/split_mix.h"
#include "testbench/programs/hypercube_trees.h"

namespace allport {

namespace {

constexpr std::uint32_t tag_of_template = 1;
constexpr std::uint32_t tag_of_parts = 2;  // and the two above it
constexpr std::uint32_t tag_of_end = 5;

// Rows or columns of the image that a rank's values contribute to: its own, or the last m - 1 of
// the neighbour before it.
struct Range {
  std::uint32_t begin =
      0;  // relative to the rank's square; counted up by one side to stay positive
  std::uint32_t end = 0;
};

class Matcher {
 public:
  Matcher(const TemplateProblem& problem, const TemplateCosts& times, GrayMesh mesh)
      : problem_(problem),
        times_(times),
        mesh_(mesh),
        height_(problem.image_side / mesh.rows),
        width_(problem.image_side / mesh.columns) {}

  void run(Rank& self, TemplateVersion version, Values& result) const {
    const Values mask = expand(self, self.rank() == 0 ? problem_.mask : Values{}, tag_of_template);
    Values own;
    if (version == TemplateVersion::replicated) {
      own = whole(self, mask);
    } else {
      own = with_neighbours(self, mask, version == TemplateVersion::overlapping);
    }
    collapse(self, 1, tag_of_end, times_.addition);
    place(self, own, result);
  }

 private:
  // The four parts: whether they are of the neighbour in the north, in the west.
  struct Part {
    bool north;
    bool west;
  };
  static constexpr Part self_part{false, false};
  static constexpr std::array<Part, 3> parts_of_others{
      {{true, true}, {false, true}, {true, false}}};

  Range rows(bool north) const {
    return north ? Range{height_ - (problem_.template_side - 1), height_}
                 : Range{height_, 2 * height_};
  }
  Range columns(bool west) const {
    return west ? Range{width_ - (problem_.template_side - 1), width_} : Range{width_, 2 * width_};
  }
  std::int32_t image(const Rank& self, std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t n = problem_.image_side;
    const std::uint32_t top = mesh_.row(self.rank()) * height_;
    const std::uint32_t left = mesh_.column(self.rank()) * width_;
    return problem_.image[(top + row) % n * n + (left + column) % n];
  }

  // What the values in the rank's square contribute to the points of `part`; one row of the
  // template after the other.
  Values contribution(Rank& self, const Values& mask, Part part) const {
    const std::uint32_t m = problem_.template_side;
    const Range rows = this->rows(part.north);
    const Range columns = this->columns(part.west);
    Values sums;
    double count = 0;
    double begun = 0;
    for (std::uint32_t i = rows.begin; i < rows.end; ++i) {
      for (std::uint32_t j = columns.begin; j < columns.end; ++j) {
        std::int32_t sum = 0;
        for (std::uint32_t s = 0; s < m; ++s) {
          if (i + s < height_ || i + s >= 2 * height_) continue;
          ++begun;
          for (std::uint32_t t = 0; t < m; ++t) {
            if (j + t < width_ || j + t >= 2 * width_) continue;
            ++count;
            sum += image(self, i + s - height_, j + t - width_) * mask[s * m + t];
          }
        }
        sums.push_back(sum);
      }
    }
    self.compute(count * (times_.addition + times_.multiplication) + begun * times_.row);
    return sums;
  }

  // All points of the square, with the values of the neighbours in the south and the east.
  Values whole(Rank& self, const Values& mask) const {
    const std::uint32_t m = problem_.template_side;
    Values sums;
    for (std::uint32_t i = 0; i < height_; ++i) {
      for (std::uint32_t j = 0; j < width_; ++j) {
        std::int32_t sum = 0;
        for (std::uint32_t s = 0; s < m; ++s) {
          for (std::uint32_t t = 0; t < m; ++t) sum += image(self, i + s, j + t) * mask[s * m + t];
        }
        sums.push_back(sum);
      }
    }
    const double points = static_cast<double>(height_) * width_;
    self.compute(points * m * (m * (times_.addition + times_.multiplication) + times_.row));
    return sums;
  }

  std::uint32_t neighbour(const Rank& self, Part part, bool is_sender) const {
    const std::uint32_t rows = is_sender ? 1 : mesh_.rows - 1;
    const std::uint32_t columns = is_sender ? 1 : mesh_.columns - 1;
    return mesh_.rank(mesh_.row(self.rank()) + (part.north ? rows : 0),
                      mesh_.column(self.rank()) + (part.west ? columns : 0));
  }
  static std::uint32_t tag_of(Part part) {
    return tag_of_parts + (part.north ? 1 : 0) + (part.west ? 2 : 0) - 1;
  }

  void send(Rank& self, Part part, const Values& sums, Values& own) const {
    const std::uint32_t to = neighbour(self, part, false);
    if (to == self.rank()) {
      update(self, part, sums, own);
    } else if (!sums.empty()) {
      self.send(to, sums, tag_of(part));
    }
  }
  // Adds what others contribute to the last rows and columns of the square.
  void update(Rank& self, Part part, const Values& sums, Values& own) const {
    const Range rows = this->rows(part.north);
    const Range columns = this->columns(part.west);
    std::size_t next = 0;
    for (std::uint32_t i = rows.begin; i < rows.end; ++i) {
      for (std::uint32_t j = columns.begin; j < columns.end; ++j) {
        own[i % height_ * width_ + j % width_] += sums[next++];
      }
    }
    self.compute(static_cast<double>(sums.size()) * times_.addition);
  }

  Values with_neighbours(Rank& self, const Values& mask, bool is_overlapping) const {
    Values own(static_cast<std::size_t>(height_) * width_, 0);
    const auto add = [&](const Values& sums) {
      for (std::size_t i = 0; i < own.size(); ++i) own[i] += sums[i];
    };
    if (is_overlapping) {
      for (const Part part : parts_of_others) {
        send(self, part, contribution(self, mask, part), own);
      }
      add(contribution(self, mask, self_part));
    } else {
      add(contribution(self, mask, self_part));
      std::vector<Values> sums;
      for (const Part part : {parts_of_others[2], parts_of_others[1], parts_of_others[0]}) {
        sums.push_back(contribution(self, mask, part));
      }
      for (std::size_t i = 0; i < sums.size(); ++i) {
        send(self, parts_of_others[i], sums[sums.size() - 1 - i], own);
      }
    }
    for (const Part part : parts_of_others) {
      const std::uint32_t from = neighbour(self, part, true);
      if (from == self.rank() || problem_.template_side == 1) continue;
      update(self, part, self.receive(from, tag_of(part)), own);
    }
    return own;
  }

  // Every rank writes its own square.
  void place(const Rank& self, const Values& own, Values& result) const {
    const std::uint32_t top = mesh_.row(self.rank()) * height_;
    const std::uint32_t left = mesh_.column(self.rank()) * width_;
    for (std::uint32_t i = 0; i < height_; ++i) {
      for (std::uint32_t j = 0; j < width_; ++j) {
        result[(top + i) * problem_.image_side + left + j] = own[i * width_ + j];
      }
    }
  }

  const TemplateProblem& problem_;
  const TemplateCosts& times_;
  GrayMesh mesh_;
  std::uint32_t height_;
  std::uint32_t width_;
};

void require_fit(const TemplateProblem& problem, std::uint32_t ranks, GrayMesh mesh) {
  if (ranks == 0 || mesh.rows * mesh.columns != ranks) {
    throw std::invalid_argument(fmt::format("template: {} ranks are not a power of two", ranks));
  }
  if (problem.image_side % mesh.columns != 0 || problem.image_side == 0) {
    throw std::invalid_argument(
        fmt::format("template: an image of side {} cannot be cut into {} x {} equal squares",
                    problem.image_side, mesh.rows, mesh.columns));
  }
  const std::uint32_t most = problem.image_side / mesh.columns;
  if (problem.template_side < 1 || problem.template_side > most) {
    throw std::invalid_argument(
        fmt::format("template: side {} must be 1..{}, the side of a rank's part of the image",
                    problem.template_side, most));
  }
}

}  // namespace

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

TemplateRun run_template(const TemplateProblem& problem, TemplateVersion version,
                         std::uint32_t ranks, const ProgramCosts& costs,
                         const TemplateCosts& times) {
  const GrayMesh mesh = GrayMesh::of(ranks);
  require_fit(problem, ranks, mesh);
  TemplateRun run;
  run.result.resize(problem.image.size());
  const Matcher matcher(problem, times, mesh);
  run.tasks = record(ranks, costs, [&](Rank& self) { matcher.run(self, version, run.result); });
  return run;
}

}  // namespace allport
