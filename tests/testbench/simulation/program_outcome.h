// SPDX-License-Identifier: Apache-2.0
// outcome() says what a program, run on every node of a fabric, leads to, on flits and on worms.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "testbench/simulation/run_programs.h"
#include "tests/support/forked.h"

namespace allport::test {

using Body = std::function<void(Processor&)>;

/// A program that is a function.
class Function final : public Program {
 public:
  explicit Function(const Body& body) : body_(body) {}
  void run(Processor& self) override { body_(self); }

 private:
  const Body& body_;
};

/// Programs on `shape` with ts = 10 and tr = 5.
inline RunRequest request_on(const std::string& shape, Model model) {
  RunRequest request;
  request.fabric.topology = parse_topology(shape);
  request.node.ts = 10;
  request.node.tr = 5;
  request.model = model;
  return request;
}

/// What `body`, run on every node in a process of its own, leads to, after what it `said`.
inline std::string run_here(const RunRequest& request, const Body& body, std::ostringstream& said) {
  return forked([&] {
    const Results results =
        run_programs(request, [&](std::uint32_t) { return std::make_unique<Function>(body); });
    said << "makespan " << results.tasks->makespan;
    if (!results.broken_invariant.empty()) said << "; broken " << results.broken_invariant;
    for (const std::string& wait : results.tasks->waits) said << "; " << wait;
    if (results.tasks->unreceived > 0) said << "; unreceived " << results.tasks->unreceived;
    said << "; digest " << results.digest;
    return said.str();
  });
}

/// What `body`, run on every node, leads to: the same on both models. `said` takes its words.
inline std::string outcome(const std::string& shape, const Body& body, std::ostringstream& said,
                           const std::function<void(RunRequest&)>& change = {}) {
  RunRequest request = request_on(shape, Model::systemc);
  if (change) change(request);
  const std::string flits = run_here(request, body, said);
  request.model = Model::worm;
  const std::string worms = run_here(request, body, said);
  EXPECT_EQ(flits, worms);
  return flits;
}

}  // namespace allport::test
