// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/tables/make_table.h"

#include <stdexcept>
#include <string_view>

#include "rtl_model/tables/rules.h"
#include "rtl_model/tables/table_file.h"
#include "rtl_model/tables/table_proof.h"

namespace allport {

namespace {

// Whether `text` is this rule, and what stands behind its colon: `updown:3` has the argument `3`.
bool has_rule(const std::string& text, std::string_view rule, std::string& argument) {
  if (text.compare(0, rule.size(), rule) != 0) return false;
  if (text.size() == rule.size()) return true;
  if (text[rule.size()] != ':') return false;
  argument = text.substr(rule.size() + 1);
  if (argument.empty()) {
    throw std::invalid_argument("table:" + text + " has nothing behind its last colon; give " +
                                (rule == "updown" ? "the ROOT" : "the order") +
                                " there, or leave the colon out");
  }
  return true;
}

RoutingTable unproved_table(const TableRequest& request) {
  std::string argument;
  const std::string& rule = request.rule;
  if (request.text == nullptr && has_rule(rule, "dimension", argument)) {
    return dimension_table(request, argument);
  }
  if (request.ties.rule != TieBreak::Rule::positive) {
    throw std::invalid_argument("ties " + request.ties.in_words() + ": routing table:" + rule +
                                " has ways of its own; of the tables, dimension alone has ties");
  }
  if (request.text != nullptr)
    return read_table(*request.text, rule, *request.topology, request.missing_nodes);

  if (has_rule(rule, "updown", argument)) return updown_table(request, argument);
  if (rule == "fattree") return fattree_table(request);
  if (rule == "dragonfly") return dragonfly_table(request);
  return shortest_table(request);
}

}  // namespace

bool is_table_rule(const std::string& rule) {
  std::string argument;
  return has_rule(rule, "dimension", argument) || has_rule(rule, "updown", argument) ||
         rule == "shortest" || rule == "fattree" || rule == "dragonfly";
}

std::shared_ptr<const RoutingTable> make_table(const TableRequest& request) {
  auto table = std::make_shared<const RoutingTable>(unproved_table(request));
  const std::string fault = table_fault(*table, *request.topology, request.missing);
  if (fault.empty()) return table;
  throw std::invalid_argument("routing " + table->name() + ": " + fault);
}

std::shared_ptr<const RoutingTable> make_default_table(TableRequest request) {
  request.rule = "updown";
  auto table = std::make_shared<const RoutingTable>(unproved_table(request));
  if (table_fault(*table, *request.topology, request.missing).empty()) return table;
  request.rule = "shortest";
  return make_table(request);
}

}  // namespace allport
