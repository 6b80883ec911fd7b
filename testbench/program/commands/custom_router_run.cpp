// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/custom_router_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include "testbench/conformance/model_process.h"
#include "testbench/files/standard_streams.h"
#include "testbench/processes/child_process.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

// What follows from the decisions inside a router, which are known of the project's routers only.
void require_shown_by_pins(const Options& options) {
  const ObserveOptions& observe = options.observe;
  const bool finds_slow = observe.wave_on && (observe.wave_on->kind == WaveOn::Kind::message ||
                                              observe.wave_on->kind == WaveOn::Kind::slowest);
  const auto refuse = [](const std::string& option, const char* what) {
    throw std::invalid_argument(fmt::format(
        "{} cannot be combined with --rtl: {} follow from what is inside a router, and the pins of one of your own do not show it; leave --rtl out",
        option, what));
  };
  for (const char* key : {"explain", "messages", "report", "timeline"}) {
    if (options.is_given(key)) refuse(option_name(key), "the causes of latencies");
  }
  if (options.is_given("channel_load")) refuse("--channel-load", "the lost cycles of channels");
  if (observe.wave_on && !finds_slow) {
    throw std::invalid_argument(
        "--wave-on: with --rtl it takes slowest, or a message such as message:5>9#0");
  }
}

}  // namespace

void note_choices(Options& options) {
  options.cosim.chooses_mode = options.is_given("switching");
  options.cosim.chooses_depth = options.is_given("buffer_depth");
  options.cosim.has_all_ports = options.is_given("ports") && !options.run.fabric.ports;
}

std::shared_ptr<const RouterDeclaration> declared_by(const Options& options, StopFlag stop) {
  return std::make_shared<RouterDeclaration>(
      read_declaration(own_source(options.cosim), options.cosim.declaration, stop));
}

void use_own_router(Options& options, std::shared_ptr<const RouterDeclaration> declared) {
  require_shown_by_pins(options);
  if (options.is_given("model") && options.run.model != Model::rtl &&
      options.run.model != Model::automatic) {
    throw std::invalid_argument(fmt::format(
        "--model {}: a router of your own (--rtl) is simulated as RTL; leave --model out",
        to_string(options.run.model)));
  }
  note_choices(options);
  options.run = run_of_custom(options.run, options.cosim, std::move(declared));
  options.run.model = Model::rtl;
}

int in_own_process(const Options& options, const std::function<int(ModelWatch&)>& work) {
  SharedCounter steps;
  share_interrupts();
  const std::string& router = options.run.custom_router->top;
  const KeptWave kept(options.observe.wave);
  const ChildText child = text_of_child(
      [&] {
        ModelWatch watch(steps.value());
        const int status = status_of([&] { return work(watch); });
        const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
        if (!is_written) say("stdout cannot be written");
        return std::to_string(is_written ? status : exit_wrong_use);
      },
      {&steps.value(), options.cosim.timeout, nullptr, true});
  if (child.end == WorkEnd::done) return std::stoi(child.text);
  kept.restore();
  say(fmt::format(
      "router {}: {}: there are no results, and this is not a verdict on the router", router,
      child.end == WorkEnd::hang
          ? fmt::format("it hangs: one clock edge took more than the {} s of --rtl-timeout",
                        options.cosim.timeout.count())
          : child.problem));
  return exit_incomplete;
}

}  // namespace allport
