// SPDX-License-Identifier: Apache-2.0
// C++11: it is compiled among the sources of the simulator, against its own icnt_wrapper.h.
#include "allport_mode.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "allport_icnt.h"
#include "icnt_wrapper.h"

namespace {

std::unique_ptr<AllportIcnt> icnt;

// Nobody in the simulator catches anything.
template <class Call>
auto told(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "allport: %s\n", error.what());
    std::exit(EXIT_FAILURE);
  }
}

std::string text_of(const char* file) {
  std::ifstream stream(file);
  std::ostringstream text;
  if (!stream) {
    throw std::runtime_error(std::string(file) + ": it cannot be read: " + std::strerror(errno));
  }
  if (text << stream.rdbuf()) return text.str();
  throw std::runtime_error(std::string(file) + ": nothing is in it");
}

}  // namespace

void allport_mode(const char* file) {
  told([&] { icnt.reset(new AllportIcnt(text_of(file))); });
  icnt_create = [](unsigned shaders, unsigned memories) {
    told([&] { icnt->create(shaders, memories); });
  };
  icnt_init = [] { icnt->init(); };
  icnt_has_buffer = [](unsigned input, unsigned bytes) {
    return told([&] { return icnt->has_buffer(input, bytes); });
  };
  icnt_push = [](unsigned input, unsigned output, void* data, unsigned bytes) {
    told([&] { icnt->push(input, output, data, bytes); });
  };
  icnt_pop = [](unsigned output) { return told([&] { return icnt->pop(output); }); };
  icnt_transfer = [] { told([] { icnt->transfer(); }); };
  icnt_busy = [] { return icnt->busy(); };
  icnt_display_stats = [] { icnt->display_stats(); };
  icnt_display_overall_stats = [] { icnt->display_overall_stats(); };
  icnt_display_state = [](std::FILE* stream) { icnt->display_state(stream); };
  icnt_get_flit_size = [] { return icnt->flit_size(); };
}
