// SPDX-License-Identifier: Apache-2.0
// These are the first reasons of [Ranka88] section 4.6, by programs whose data a host sends,
// `allport program --host data`. The text does not say what a transfer takes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/ranka/figures.h"
#include "testbench/studies/reproduce/papers/ranka/passages.h"
#include "testbench/studies/reproduce/papers/ranka/template_point.h"

namespace allport {

namespace {

using Curve = std::vector<std::pair<double, double>>;
using Arguments = std::vector<std::string>;

// Two instances, and the numbers of processors that they are tried on.
struct Instance {
  const char* program;
  std::vector<int> processors;
};
const std::vector<Instance>& instances() {
  static const std::vector<Instance> all{{"template", {1, 4, 16, 64, 256}},
                                         {"knapsack", {1, 2, 4, 8, 16, 32, 64}}};
  return all;
}
constexpr const char* in_words(bool is_template) {
  return is_template ? "template of 2 x 2 on 32 x 32" : "knapsack of 100 objects";
}

// Without a host, with one, and with one whose transfers have no start-up.
Point instance_point(const FigureRequest& request, const std::string& model,
                     const Instance& instance, int processors, std::size_t host) {
  Arguments further;
  if (host > 0) further = {"--host", "data"};
  if (host > 1) further.insert(further.end(), {"--host-start-up", "0"});
  if (std::string_view(instance.program) == "template") {
    return template_point(request, model, "fig-8", {processors, 32, 2, 0}, further);
  }
  Arguments arguments{"--objects", "100",          "--capacity",
                      "30",        "--processors", std::to_string(processors)};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return machine_point(request, model, "knapsack", dimensions_of(processors), arguments);
}

std::vector<Point> points_host(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const Instance& instance : instances()) {
    for (const int processors : instance.processors) {
      for (const std::size_t host : {0U, 1U, 2U}) {
        points.push_back(instance_point(request, model, instance, processors, host));
      }
    }
  }
  return points;
}

constexpr double cycle_ms = 1.217e-3;

// What an instance takes on each number of processors, in milliseconds.
struct Course {
  std::string name;
  std::vector<int> processors;
  std::vector<double> without;
  std::vector<double> with;
  std::vector<double> distribution;  // the time in which the host's channel is busy
  std::vector<double> distribution_without_start_up;
  std::vector<double> communication;  // of all processors together, without the host
  std::vector<int> transfers;

  static bool rises(const std::vector<double>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
  }
  std::size_t best() const {
    return static_cast<std::size_t>(std::min_element(with.begin(), with.end()) - with.begin());
  }
  // Whether there is a best number, and every other one takes longer.
  bool has_best_inside() const {
    return best() > 0 && best() + 1 < with.size() &&
           std::count(with.begin(), with.end(), with[best()]) == 1;
  }
};

Course course_of(const FigureRequest& request, const Runs& runs, const Instance& instance) {
  Course course;
  course.name = in_words(std::string_view(instance.program) == "template");
  course.processors = instance.processors;
  for (const int processors : instance.processors) {
    const auto tasks = [&](std::size_t host) {
      return runs.of(instance_point(request, request.models.front(), instance, processors, host))
          .at("tasks");
    };
    const auto ms = [](const Json& cycles) { return cycle_ms * cycles.get<double>(); };
    const Json without = tasks(0);
    const Json with = tasks(1);
    course.without.push_back(ms(without.at("makespan")));
    course.with.push_back(ms(with.at("makespan")));
    course.distribution.push_back(ms(with.at("host").at("busy")));
    course.transfers.push_back(with.at("host").at("transfers").get<int>());
    course.distribution_without_start_up.push_back(ms(tasks(2).at("host").at("busy")));
    double sum = 0;
    for (const Json& rank : without.at("ranks")) sum += ms(rank.at("communicate"));
    course.communication.push_back(sum);
  }
  return course;
}

FigureResult make_figure_host(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table =
      NumberTable({"instance", "processors", "ms without the host", "ms with the host",
                   "ms of the host's transfers", "transfers", "the same without start-ups",
                   "ms of sending, all processors together"});
  LineChart chart("Programs whose data a host sends", "processors", "milliseconds");
  chart.use_log_x();
  chart.use_log_y();
  std::size_t colour = 0;
  std::string distribution;
  std::string cause;
  std::string communication;
  std::string best;
  bool rises = true;
  bool sends_more = true;
  bool has_best = true;
  for (const Instance& instance : instances()) {
    const Course course = course_of(request, runs, instance);
    Curve with;
    Curve busy;
    for (std::size_t i = 0; i < course.processors.size(); ++i) {
      with.emplace_back(course.processors[i], course.with[i]);
      busy.emplace_back(course.processors[i], course.distribution[i]);
      result.table.add({course.name, std::to_string(course.processors[i]),
                        decimal(course.without[i], 2), decimal(course.with[i], 2),
                        decimal(course.distribution[i], 2), std::to_string(course.transfers[i]),
                        decimal(course.distribution_without_start_up[i], 2),
                        decimal(course.communication[i], 2)});
    }
    chart.colour_as(colour);
    chart.add(course.name, with);
    chart.colour_as(colour++);
    chart.add("", busy, true);
    rises = rises && Course::rises(course.distribution);
    sends_more = sends_more && Course::rises(course.communication);
    has_best = has_best && course.has_best_inside();
    const auto join = [](std::string& words, const std::string& more) {
      words += (words.empty() ? "" : "; ") + more;
    };
    join(distribution,
         fmt::format("{}: from {:.2f} ms in {} transfers to {:.2f} ms in {}", course.name,
                     course.distribution.front(), course.transfers.front(),
                     course.distribution.back(), course.transfers.back()));
    join(cause,
         fmt::format("from {:.2f} to {:.2f} ms", course.distribution_without_start_up.front(),
                     course.distribution_without_start_up.back()));
    join(communication, fmt::format("{}: from {:.2f} to {:.2f} ms", course.name,
                                    course.communication.front(), course.communication.back()));
    join(best, fmt::format("{}: {} of {}", course.name, course.processors[course.best()],
                           fmt::join(course.processors, ", ")));
  }
  result.picture.gnuplot = chart.script();
  result.claims = {
      {"the host to node data distribution time increases as more message transfers need to be set up",
       ranka::more_processors, distribution, Outcome::not_tested,
       (rises ? "So it is with allport's host; without start-ups it goes "
              : "Without start-ups it goes ") +
           cause + ". The text does not tell what a transfer takes"},
      {"total inter processor communication time may increase", ranka::more_processors,
       "what all processors together spend on sending, without the host: " + communication,
       outcome_of(sends_more), ""},
      {"for any given instance of a problem, there is an optimal hypercube dimension; a hypercube of larger or smaller size will result in an increase in the program run time",
       ranka::best_dimension, "the least time, with the host: " + best, Outcome::not_tested,
       std::string(has_best ? "So it is of the instances here"
                            : "It is not so of the instances here") +
           ", which are two; the costs of the host and the messages of the knapsack are allport's"}};
  add_digests(result, request, runs, points_host);
  result.notes.emplace_back(
      "The host sends each rank its part of the data, and gets the signal of the end or the best profit; a transfer takes as long as a hop, 178 cycles and one for each byte, since the text does not tell what it takes. The dashed curves are the times of all transfers together.");
  return result;
}

}  // namespace

Figure ranka_host() {
  return {"ranka-host",
          "what the host adds to the time of a program",
          "Ranka88, sec. 4.6",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_host); },
          make_figure_host,
          ranka::by_router};
}

}  // namespace allport
