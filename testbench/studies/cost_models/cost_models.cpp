// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/cost_models/cost_models.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

namespace allport {

namespace {

double rounded_to(double step, double value) {
  const double rounded = std::round(value / step) * step;
  return rounded == 0 ? 0 : rounded;  // no -0
}

// A value that rounding has left next to a whole number becomes that number.
double tidy(double value) {
  constexpr double almost = 1e-9;
  const double whole = rounded_to(1, value);
  return std::abs(value - whole) < almost ? whole : value;
}

using Prediction = std::function<double(const CostSample&)>;

std::vector<CostFit> fits_of(const CostSamples& samples, const Prediction& prediction) {
  std::vector<CostFit> fits;
  for (const CostSample& one : samples.pair) {
    fits.push_back({samples.hops, one.flits, one.one_way, tidy(prediction(one))});
  }
  return fits;
}

// [Hockney94]: a start-up time, then a constant rate.
CostModel hockney(const CostSamples& samples) {
  std::vector<std::vector<double>> rows;
  std::vector<double> times;
  for (const CostSample& one : samples.pair) {
    rows.push_back({1, static_cast<double>(one.flits)});
    times.push_back(one.one_way);
  }
  const std::vector<double> x = least_squares(rows, times);
  const double a = tidy(x[0]);
  const double b = tidy(x[1]);
  CostModel model{"hockney", "t(m) = a + b m", "Hockney94", {}, {}, CostTimes::pair};
  model.parameters = {{"a", a, CostUnit::cycles, "start-up time"},
                      {"b", b, CostUnit::cycles_per_flit, "time per flit, 1 / bandwidth"},
                      {"n1/2", b == 0 ? 0 : tidy(a / b), CostUnit::number,
                       "flits that reach half of the bandwidth"}};
  model.fits = fits_of(samples, [&](const CostSample& one) { return a + b * one.flits; });
  return model;
}

// L, o and g of the smallest message.
struct ShortMessage {
  explicit ShortMessage(const CostSample& one)
      : overhead(tidy((one.sending + one.receiving) / 2)),
        latency(tidy(one.one_way - one.sending - one.receiving)),
        gap(tidy(one.gap)) {}
  std::vector<CostParameter> parameters(std::size_t nodes) const {
    return {{"L", latency, CostUnit::cycles, "latency of a message of the smallest size"},
            {"o", overhead, CostUnit::cycles, "overhead of a processor, mean of both ends"},
            {"g", gap, CostUnit::cycles, "gap between messages of the smallest size"},
            {"P", static_cast<double>(nodes), CostUnit::number, "processors"}};
  }
  double overhead;
  double latency;
  double gap;
};

// [Culler93]: a long message is sent as messages of the smallest size.
CostModel logp(const CostSamples& samples) {
  const ShortMessage one(samples.pair.front());
  const int packet = samples.pair.front().flits;
  CostModel model{"logp",         "t(m) = 2o + L + (ceil(m / w) - 1) max(g, o)", "Culler93", {}, {},
                  CostTimes::pair};
  model.parameters = one.parameters(samples.nodes);
  model.parameters.push_back(
      {"w", static_cast<double>(packet), CostUnit::number, "flits of the smallest size"});
  const int longest = samples.pair.back().flits;
  const int packets = (longest + packet - 1) / packet;
  model.parameters.push_back({"busy(" + std::to_string(longest) + ")",
                              one.overhead + (packets - 1) * std::max(one.gap, one.overhead),
                              CostUnit::cycles,
                              "occupation of sender or receiver, o + (ceil(m / w) - 1) max(g, o)"});
  model.fits = fits_of(samples, [&](const CostSample& sample) {
    const int packets = (sample.flits + packet - 1) / packet;
    return 2 * one.overhead + one.latency + (packets - 1) * std::max(one.gap, one.overhead);
  });
  return model;
}

// [Alexandrov95]: each flit beyond the smallest size costs G; the line starts at the smallest size.
CostModel loggp(const CostSamples& samples) {
  const ShortMessage one(samples.pair.front());
  const CostSample& first = samples.pair.front();
  std::vector<std::vector<double>> rows;
  std::vector<double> times;
  for (const CostSample& sample : samples.pair) {
    rows.push_back({static_cast<double>(sample.flits - first.flits)});
    times.push_back(sample.one_way - first.one_way);
  }
  const double per_flit = tidy(least_squares(rows, times)[0]);
  CostModel model{"loggp", "t(m) = 2o + L + (m - w) G", "Alexandrov95", {}, {}, CostTimes::pair};
  model.parameters = one.parameters(samples.nodes);
  model.parameters.insert(model.parameters.begin() + 3,
                          {"G", per_flit, CostUnit::cycles_per_flit, "gap per flit"});
  model.parameters.push_back(
      {"w", static_cast<double>(first.flits), CostUnit::number, "flits of the smallest size"});
  model.fits = fits_of(samples, [&](const CostSample& sample) {
    return 2 * one.overhead + one.latency + (sample.flits - first.flits) * per_flit;
  });
  return model;
}

// [Kielmann00]: os(m), or(m) and g(m) are tables, the samples themselves.
CostModel plogp(const CostSamples& samples) {
  const CostSample& first = samples.pair.front();
  const double latency = tidy(first.one_way - first.gap);
  CostModel model{"plogp", "t(m) = L + g(m)", "Kielmann00", {}, {}, CostTimes::pair};
  model.parameters = {{"L", latency, CostUnit::cycles, "latency, from the smallest size"}};
  const CostSample& last = samples.pair.back();
  for (const CostSample* one : {&first, &last}) {
    const std::string size = "(" + std::to_string(one->flits) + ")";
    model.parameters.push_back({"os" + size, one->sending, CostUnit::cycles, "sender's overhead"});
    model.parameters.push_back(
        {"or" + size, one->receiving, CostUnit::cycles, "receiver's overhead"});
    model.parameters.push_back({"g" + size, tidy(one->gap), CostUnit::cycles, "gap"});
  }
  model.fits = fits_of(samples, [&](const CostSample& one) { return latency + one.gap; });
  return model;
}

// [CasanovaSlides]: the time for which one end is busy with a message is affine in its size.
CostModel affine(const CostSamples& samples, CostTimes of) {
  const bool is_sender = of == CostTimes::sender;
  const auto busy = [&](const CostSample& one) { return is_sender ? one.sending : one.receiving; };
  std::vector<std::vector<double>> rows;
  std::vector<double> times;
  for (const CostSample& one : samples.pair) {
    rows.push_back({static_cast<double>(one.flits), 1});
    times.push_back(busy(one));
  }
  const std::vector<double> x = least_squares(rows, times);
  const double a = tidy(x[0]);
  const double b = tidy(x[1]);
  CostModel model{is_sender ? "affine-os" : "affine-or",
                  is_sender ? "os(m) = a m + b" : "or(m) = a m + b",
                  "CasanovaSlides",
                  {},
                  {},
                  of};
  const std::string end = is_sender ? "sender" : "receiver";
  model.parameters = {
      {"a", a, CostUnit::cycles_per_flit, "time for which the " + end + " is busy, per flit"},
      {"b", b, CostUnit::cycles, "and per message"}};
  for (const CostSample& one : samples.pair) {
    model.fits.push_back({samples.hops, one.flits, busy(one), tidy(a * one.flits + b)});
  }
  return model;
}

// [CasanovaSlides]: cut-through, L + d delta + m / B.
CostModel cut_through(const CostSamples& samples) {
  std::vector<std::vector<double>> rows;
  std::vector<double> times;
  for (const DistanceSample& one : samples.distances) {
    rows.push_back({1, static_cast<double>(one.hops), static_cast<double>(one.flits)});
    times.push_back(one.one_way);
  }
  std::vector<double> x = least_squares(rows, times);
  for (double& one : x) one = tidy(one);
  CostModel model{"cut-through",       "t(h, m) = a + c h + b m", "CasanovaSlides", {}, {},
                  CostTimes::distances};
  model.parameters = {{"a", x[0], CostUnit::cycles, "start-up time"},
                      {"c", x[1], CostUnit::cycles_per_hop, "time per hop"},
                      {"b", x[2], CostUnit::cycles_per_flit, "time per flit"}};
  for (const DistanceSample& one : samples.distances) {
    model.fits.push_back(
        {one.hops, one.flits, one.one_way, tidy(x[0] + x[1] * one.hops + x[2] * one.flits)});
  }
  return model;
}

bool has_distances(const CostSamples& samples) {
  std::set<int> hops;
  for (const DistanceSample& one : samples.distances) hops.insert(one.hops);
  return hops.size() > 1;
}

}  // namespace

double CostModel::largest_residual() const {
  double largest = 0;
  for (const CostFit& fit : fits) largest = std::max(largest, std::abs(fit.residual()));
  return tidy(largest);
}

double CostModel::r_squared() const {
  double mean = 0;
  for (const CostFit& fit : fits) mean += fit.measured / static_cast<double>(fits.size());
  double residuals = 0;
  double deviations = 0;
  for (const CostFit& fit : fits) {
    residuals += fit.residual() * fit.residual();
    deviations += (fit.measured - mean) * (fit.measured - mean);
  }
  if (residuals == 0) return 1;
  return deviations == 0 ? 0 : tidy(1 - residuals / deviations);
}

std::vector<CostModel> fit_cost_models(const CostSamples& samples) {
  std::vector<CostModel> models{hockney(samples),
                                logp(samples),
                                loggp(samples),
                                plogp(samples),
                                affine(samples, CostTimes::sender),
                                affine(samples, CostTimes::receiver)};
  if (has_distances(samples)) models.push_back(cut_through(samples));
  return models;
}

// By the normal equations, which are few and small: in long double their condition does no harm.
std::vector<double> least_squares(const std::vector<std::vector<double>>& rows,
                                  const std::vector<double>& values) {
  const std::size_t n = rows.front().size();
  std::vector<std::vector<long double>> system(n, std::vector<long double>(n + 1, 0));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        system[i][j] += static_cast<long double>(rows[row][i]) * rows[row][j];
      }
      system[i][n] += static_cast<long double>(rows[row][i]) * values[row];
    }
  }
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    std::size_t best = pivot;
    for (std::size_t i = pivot + 1; i < n; ++i) {
      if (std::abs(system[i][pivot]) > std::abs(system[best][pivot])) best = i;
    }
    std::swap(system[pivot], system[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == pivot) continue;
      const long double factor = system[i][pivot] / system[pivot][pivot];
      for (std::size_t j = pivot; j <= n; ++j) system[i][j] -= factor * system[pivot][j];
    }
  }
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(static_cast<double>(system[i][n] / system[i][i]));
  }
  return x;
}

}  // namespace allport
