// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/papers.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/names.h"

namespace allport {

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = [] {
    std::vector<Figure> list;
    for (const auto& of_paper :
         {robinson_figures(), jeon_figures(), hou_figures(), ranka_figures(), casanova_figures()}) {
      list.insert(list.end(), of_paper.begin(), of_paper.end());
    }
    return list;
  }();
  return all;
}

std::vector<const Figure*> find_figures(const std::vector<std::string>& names) {
  std::vector<std::string_view> known{"all"};
  for (const Figure& one : figures()) known.push_back(one.name);
  const auto is_named = [&names](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw std::invalid_argument(unknown_name("figure", name, known));
  }
  std::vector<const Figure*> found;
  for (const Figure& one : figures()) {
    if (is_named("all") || is_named(one.name)) found.push_back(&one);
  }
  return found;
}

}  // namespace allport
