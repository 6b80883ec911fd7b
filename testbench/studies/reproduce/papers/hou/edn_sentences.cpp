// SPDX-License-Identifier: Apache-2.0
// These are the sentences of [Hou98, section 6.2] on EDN, each as a question to one reading.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "testbench/studies/reproduce/papers/hou/edn_band.h"
#include "testbench/studies/reproduce/papers/hou/passages.h"

namespace allport {

namespace {

bool is_slower(const MeasuredReading& one) {
  return std::all_of(one.leads.begin(), one.leads.end(), [](Cycle lead) { return lead > 0; });
}

// Message times by which a reading is behind, rounded.
Cycle messages_behind(const MeasuredReading& one, const std::vector<int>& lengths, std::size_t i) {
  const Cycle length = lengths.at(i);
  return (2 * one.leads.at(i) + length) / (2 * length);
}

bool is_one_message_slower(const MeasuredReading& one, const std::vector<int>& lengths) {
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (messages_behind(one, lengths, i) != 1) return false;
  }
  return true;
}

bool contends(const MeasuredReading& one) {
  return std::all_of(one.events.begin(), one.events.end(),
                     [](std::uint64_t events) { return events > 0; });
}

bool falls_behind_further(const MeasuredReading& one) {
  return std::adjacent_find(one.leads.begin(), one.leads.end(), std::greater_equal<>()) ==
         one.leads.end();
}

// `at 64, 512 and 1024 flits`.
std::string in_words(const std::vector<int>& lengths) {
  std::string words = "at ";
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const bool is_last = i + 1 == lengths.size();
    words += fmt::format("{}{}", i == 0 ? "" : is_last ? " and " : ", ", lengths[i]);
  }
  return words + " flits";
}

// `468 not at all, 545 by 1, 219 by 2`: by how many messages the readings are behind.
std::string messages_in_words(const EdnBand& band, std::size_t i) {
  Cycle most = 0;
  for (const MeasuredReading& one : band.readings()) {
    most = std::max(most, messages_behind(one, band.lengths(), i));
  }
  std::string words;
  for (Cycle number = 0; number <= most; ++number) {
    const std::size_t readings = band.count([&](const MeasuredReading& one) {
      return messages_behind(one, band.lengths(), i) == number;
    });
    if (readings == 0) continue;
    words += fmt::format("{}{} by {}", words.empty() ? "" : ", ", readings, number);
  }
  return words;
}

}  // namespace

namespace {

// That the latency is not the one of the analysis stands for "unpredictable".
Claim unpredictable_claim(const EdnBand& band, Cycle by_analysis) {
  return claim_on_readings(
      "EDN's latency is unpredictable due to the possible channel contention", hou::unpredictable,
      band.count([&](const MeasuredReading& one) {
        return std::any_of(one.leads.begin(), one.leads.end(),
                           [&](Cycle lead) { return lead != by_analysis; });
      }),
      band.readings().size(),
      fmt::format(
          "EDN does not take the time of its analysis, which stands for \"unpredictable\" here, at one of the lengths {}",
          in_words(band.lengths()).substr(3)));
}

}  // namespace

bool says_figure_8(const MeasuredReading& reading, const std::vector<int>& lengths) {
  return is_slower(reading) && is_one_message_slower(reading, lengths) && contends(reading) &&
         falls_behind_further(reading);
}

void add_sentences_8(Claims& claims, const EdnBand& band) {
  const std::size_t all = band.readings().size();
  const std::vector<int>& lengths = band.lengths();
  const std::size_t last = lengths.size() - 1;
  const std::string tried = in_words(lengths);
  claims.push_back(claim_on_readings(
      "the performance of DCF is better than that of EDN", hou::better_in_both,
      band.count(is_slower), all,
      fmt::format("DCF is faster {}; over all readings by {}", tried, band.leads_in_words(last))));
  claims.push_back(claim_on_readings(
      "EDN takes about one more communication latency than DCF, for contention blocks it",
      hou::effect_of_contention,
      band.count([&](const MeasuredReading& one) { return is_one_message_slower(one, lengths); }),
      all,
      fmt::format(
          "between half a message time and one and a half more {}; message times by which the readings are behind at {} flits: {}",
          tried, lengths.back(), messages_in_words(band, last))));
  claims.push_back(claim_on_readings(
      "the effect of channel contention on EDN can be observed", hou::effect_of_contention,
      band.count(is_slower), all,
      fmt::format(
          "EDN takes longer than its analysis, which without software latency is DCF's, {}; messages of {} readings contend",
          tried, band.count(contends))));
  claims.push_back(claim_on_readings(
      "the difference between DCF and EDN becomes more significant as the message size increases",
      hou::effect_of_contention, band.count(falls_behind_further), all,
      fmt::format("DCF's lead grows from length to length {}", tried)));
  claims.push_back(unpredictable_claim(band, 0));
}

void add_sentences_9(Claims& claims, const EdnBand& band, Cycle by_analysis) {
  const std::size_t all = band.readings().size();
  const std::size_t last = band.lengths().size() - 1;
  const std::string leads =
      fmt::format("{}, {}", band.leads_in_words(0), band.leads_in_words(last));
  claims.push_back(claim_on_readings("the performance of DCF is better than that of EDN",
                                     hou::better_in_both, band.count(is_slower), all,
                                     fmt::format("DCF is faster; over all readings by {}", leads)));
  constexpr Cycle printed = 200;
  claims.push_back(claim_on_readings(
      "DCF's latency is about 200 cycles fewer than EDN's", hou::about_200,
      band.count([](const MeasuredReading& one) {
        return std::all_of(one.leads.begin(), one.leads.end(), [](Cycle lead) {
          return printed / 2 <= lead && lead <= printed * 3 / 2;
        });
      }),
      all, fmt::format("100 to 300 cycles fewer; over all readings {}", leads),
      Outcome::not_reproduced,
      fmt::format(
          "The text contradicts itself: its analysis has k = 2 sending latencies of 200 cycles more for EDN on this torus, {} in all, and contention can only add to them",
          by_analysis)));
  const auto share = [](const MeasuredReading& one, std::size_t i) {
    return static_cast<double>(one.leads.at(i)) / static_cast<double>(one.latencies.at(i));
  };
  claims.push_back(claim_on_readings(
      "the difference is rather significant for small message sizes", hou::about_200,
      band.count([&](const MeasuredReading& one) { return share(one, 0) > share(one, last); }), all,
      fmt::format("DCF's lead is a larger part of EDN's latency at {} flits than at {}",
                  band.lengths().front(), band.lengths().back())));
  claims.push_back(unpredictable_claim(band, by_analysis));
}

}  // namespace allport
