// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/template_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "traffic/programs/hypercube_trees.h"

namespace allport {

namespace {

constexpr std::uint32_t tag_of_template = 1;
constexpr std::uint32_t tag_of_parts = 2;  // and the two above it
constexpr std::uint32_t tag_of_end = 5;
constexpr std::uint32_t tag_of_image = 6;
constexpr std::uint32_t tag_of_result = 7;

// Rows or columns of the image that a rank's values contribute to: its own, or the last m - 1 of
// the neighbour before it.
struct Range {
  std::uint32_t begin =
      0;  // relative to the rank's square; counted up by one side to stay positive
  std::uint32_t end = 0;
};

// Values in rows and columns, one row after the other.
struct Sheet {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  Values values;

  Sheet(std::uint32_t rows, std::uint32_t columns, Values values = {})
      : rows(rows), columns(columns), values(std::move(values)) {
    this->values.resize(static_cast<std::size_t>(rows) * columns);
  }
  std::int32_t& at(std::uint32_t row, std::uint32_t column) {
    return values[row * columns + column];
  }
  std::int32_t at(std::uint32_t row, std::uint32_t column) const {
    return values[row * columns + column];
  }
  // Its first rows and columns.
  Sheet corner(std::uint32_t height, std::uint32_t width) const {
    Sheet part(height, width);
    for (std::uint32_t i = 0; i < height; ++i) {
      for (std::uint32_t j = 0; j < width; ++j) part.at(i, j) = at(i, j);
    }
    return part;
  }
  void put(const Sheet& part, std::uint32_t row, std::uint32_t column) {
    for (std::uint32_t i = 0; i < part.rows; ++i) {
      for (std::uint32_t j = 0; j < part.columns; ++j) at(row + i, column + j) = part.at(i, j);
    }
  }
};

class Matcher {
 public:
  Matcher(const TemplateProblem& problem, TemplateVersion version, const TemplateCosts& times,
          GrayMesh mesh, HostUse host)
      : problem_(problem),
        version_(version),
        times_(times),
        mesh_(mesh),
        host_(host),
        height_(problem.image_side / mesh.rows),
        width_(problem.image_side / mesh.columns),
        border_(problem.template_side - 1) {}

  void run(Rank& self, Values& result) const {
    Values mask;
    if (self.rank() == 0) {
      mask = host_ == HostUse::none ? problem_.mask : self.receive(self.host(), tag_of_template);
    }
    mask = expand(self, mask, tag_of_template);
    const Sheet image = has_data_from_host() ? at_beginning(self.receive(self.host(), tag_of_image))
                                             : at_beginning(self.rank());
    const Values own = matched(self, mask, image);
    if (host_ == HostUse::results) {
      self.send(self.host(), own, tag_of_result);
    } else {
      place(self.rank(), own, result);
    }
    collapse(self, 1, tag_of_end, times_.addition);
    if (self.rank() == 0 && host_ != HostUse::none) self.send(self.host(), {1}, tag_of_end);
  }

  // Figure 9; the data and the results as section 4.2 has them.
  void run_host(Rank& self, Values& result) const {
    self.send(0, problem_.mask, tag_of_template);
    for (std::uint32_t rank = 0; rank < self.size() && has_data_from_host(); ++rank) {
      self.send(rank, at_beginning(rank).values, tag_of_image);
    }
    for (std::uint32_t rank = 0; rank < self.size() && host_ == HostUse::results; ++rank) {
      place(rank, self.receive(rank, tag_of_result), result);
    }
    self.receive(0, tag_of_end);
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

  bool has_data_from_host() const { return host_ >= HostUse::data; }
  std::uint32_t top(std::uint32_t rank) const { return mesh_.row(rank) * height_; }
  std::uint32_t left(std::uint32_t rank) const { return mesh_.column(rank) * width_; }

  // The image values that a rank has from the beginning.
  Sheet at_beginning(Values values) const {
    const std::uint32_t border = version_ == TemplateVersion::replicated ? border_ : 0;
    return {height_ + border, width_ + border, std::move(values)};
  }
  Sheet at_beginning(std::uint32_t rank) const {
    Sheet image = at_beginning(Values{});
    const std::uint32_t n = problem_.image_side;
    for (std::uint32_t i = 0; i < image.rows; ++i) {
      for (std::uint32_t j = 0; j < image.columns; ++j) {
        image.at(i, j) = problem_.image[(top(rank) + i) % n * n + (left(rank) + j) % n];
      }
    }
    return image;
  }

  Values matched(Rank& self, const Values& mask, const Sheet& image) const {
    switch (version_) {
      case TemplateVersion::replicated:
        return whole(self, mask, image);
      case TemplateVersion::images:
        return whole(self, mask, with_images_of_others(self, image));
      default:
        return with_neighbours(self, mask, image);
    }
  }

  Range rows(bool north) const {
    return north ? Range{height_ - border_, height_} : Range{height_, 2 * height_};
  }
  Range columns(bool west) const {
    return west ? Range{width_ - border_, width_} : Range{width_, 2 * width_};
  }

  // What the values in the rank's square contribute to the points of `part`; one row of the
  // template after the other.
  Values contribution(Rank& self, const Values& mask, const Sheet& image, Part part) const {
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
            sum += image.at(i + s - height_, j + t - width_) * mask[s * m + t];
          }
        }
        sums.push_back(sum);
      }
    }
    self.compute(count * (times_.addition + times_.multiplication) + begun * times_.row);
    return sums;
  }

  // All points of the square, with the values of the neighbours in the south and the east.
  Values whole(Rank& self, const Values& mask, const Sheet& image) const {
    const std::uint32_t m = problem_.template_side;
    Values sums;
    for (std::uint32_t i = 0; i < height_; ++i) {
      for (std::uint32_t j = 0; j < width_; ++j) {
        std::int32_t sum = 0;
        for (std::uint32_t s = 0; s < m; ++s) {
          for (std::uint32_t t = 0; t < m; ++t) sum += image.at(i + s, j + t) * mask[s * m + t];
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

  // The image values of the square with those of the neighbours in the south and the east, which
  // everybody sends before it computes.
  Sheet with_images_of_others(Rank& self, const Sheet& own) const {
    Sheet all(height_ + border_, width_ + border_);
    all.put(own, 0, 0);
    if (border_ == 0) return all;
    const auto needed = [&](Part part) {
      return own.corner(part.north ? border_ : height_, part.west ? border_ : width_);
    };
    for (const Part part : parts_of_others) {
      const std::uint32_t to = neighbour(self, part, false);
      if (to != self.rank()) self.send(to, needed(part).values, tag_of(part));
    }
    for (const Part part : parts_of_others) {
      const std::uint32_t from = neighbour(self, part, true);
      Sheet theirs = needed(part);
      if (from != self.rank()) theirs.values = self.receive(from, tag_of(part));
      all.put(theirs, part.north ? height_ : 0, part.west ? width_ : 0);
    }
    return all;
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

  Values with_neighbours(Rank& self, const Values& mask, const Sheet& image) const {
    Values own(static_cast<std::size_t>(height_) * width_, 0);
    const auto add = [&](const Values& sums) {
      for (std::size_t i = 0; i < own.size(); ++i) own[i] += sums[i];
    };
    if (version_ == TemplateVersion::overlapping) {
      for (const Part part : parts_of_others) {
        send(self, part, contribution(self, mask, image, part), own);
      }
      add(contribution(self, mask, image, self_part));
    } else {
      add(contribution(self, mask, image, self_part));
      std::vector<Values> sums;
      for (const Part part : {parts_of_others[2], parts_of_others[1], parts_of_others[0]}) {
        sums.push_back(contribution(self, mask, image, part));
      }
      for (std::size_t i = 0; i < sums.size(); ++i) {
        send(self, parts_of_others[i], sums[sums.size() - 1 - i], own);
      }
    }
    for (const Part part : parts_of_others) {
      const std::uint32_t from = neighbour(self, part, true);
      if (from == self.rank() || border_ == 0) continue;
      update(self, part, self.receive(from, tag_of(part)), own);
    }
    return own;
  }

  // The square of `rank` in the whole.
  void place(std::uint32_t rank, const Values& own, Values& result) const {
    for (std::uint32_t i = 0; i < height_; ++i) {
      for (std::uint32_t j = 0; j < width_; ++j) {
        result[(top(rank) + i) * problem_.image_side + left(rank) + j] = own[i * width_ + j];
      }
    }
  }

  const TemplateProblem& problem_;
  const TemplateVersion version_;
  const TemplateCosts& times_;
  const GrayMesh mesh_;
  const HostUse host_;
  const std::uint32_t height_;
  const std::uint32_t width_;
  const std::uint32_t border_;  // m - 1
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
  const auto largest = [](const Values& values) {
    return static_cast<std::uint64_t>(*std::max_element(values.begin(), values.end()));
  };
  const std::uint64_t m = problem.template_side;
  const std::uint64_t sum = largest(problem.image) * largest(problem.mask) * m * m;
  if (sum <= INT32_MAX) return;
  throw std::invalid_argument(fmt::format(
      "template: with values up to {} and {} and a template of side {} a sum may reach {}, and must be below 2^31; take smaller values or a smaller template",
      largest(problem.image), largest(problem.mask), m, sum));
}

}  // namespace

TemplateRun run_template(const TemplateProblem& problem, TemplateVersion version,
                         std::uint32_t ranks, const ProgramCosts& costs, const TemplateCosts& times,
                         HostUse host) {
  const GrayMesh mesh = GrayMesh::of(ranks);
  require_fit(problem, ranks, mesh);
  TemplateRun run;
  run.result.resize(problem.image.size());
  const Matcher matcher(problem, version, times, mesh, host);
  run.tasks = record(
      ranks, costs, [&](Rank& self) { matcher.run(self, run.result); },
      host_program(host, [&](Rank& self) { matcher.run_host(self, run.result); }));
  return run;
}

}  // namespace allport
