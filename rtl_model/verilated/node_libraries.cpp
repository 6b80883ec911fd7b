// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/node_libraries.h"

#include <set>
#include <string>

namespace allport {

namespace {

// Says at which of the nodes the build is: there may be many.
BuildHooks counting(const BuildHooks& hooks, std::size_t number, std::size_t count) {
  if (!hooks.say) return hooks;
  return {[say = hooks.say, number, count](const std::string& text) {
            say(text + ", node " + std::to_string(number) + " of " + std::to_string(count));
          },
          hooks.stop};
}

}  // namespace

NodeLibraries::NodeLibraries(const RtlSource& source, const Parameters& parameters,
                             const BuildHooks& hooks) {
  if (parameters.empty()) libraries_.emplace_back(source, hooks);
  std::map<std::vector<RtlParameter>, const ModelLibrary*> made;
  for (const auto& [node, values] : parameters) {
    const ModelLibrary*& library = made[values];
    if (library == nullptr) {
      RtlSource one = source;
      one.parameters.insert(one.parameters.end(), values.begin(), values.end());
      try {
        libraries_.emplace_back(one, counting(hooks, by_node_.size() + 1, parameters.size()));
      } catch (const RtlRefused& refusal) {
        throw RtlRefused("at node " + std::to_string(index(node)) + ": " + refusal.what());
      }
      library = &libraries_.back();
    }
    by_node_.emplace(node, library);
  }
}

std::vector<std::string> NodeLibraries::circles() const {
  std::set<std::string> places;
  for (const ModelLibrary& library : libraries_) {
    places.insert(library.circles().begin(), library.circles().end());
  }
  return {places.begin(), places.end()};
}

const ModelLibrary& NodeLibraries::at(NodeId node) const {
  return by_node_.empty() ? libraries_.front() : *by_node_.at(node);
}

}  // namespace allport
