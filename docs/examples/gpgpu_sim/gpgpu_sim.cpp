// SPDX-License-Identifier: Apache-2.0
// What an allport::Network costs as the interconnect of a GPU, beside an ideal crossbar: the time
// of the processor, that of the driver included.
//   gpgpu_sim [FILE [PACKETS]]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>

#include "allport_mode.h"
#include "driver/crossbar_mode.h"
#include "driver/gpu_driver.h"

namespace {

struct Run {
  double seconds = 0;
  long long cycles = 0;
};

Run timed(const DriverOptions& options) {
  GpuDriver driver(options);
  const std::clock_t start = std::clock();  // other programs do not count
  const long long cycles = driver.run();
  return {static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, cycles};
}

void compare(const char* file, std::size_t packets) {
  std::printf("packets a node and cycle  cycles of allport  crossbar [s]  allport [s]  ratio\n");
  for (const double rate : {0.05, 0.1, 0.2}) {
    DriverOptions options;
    options.requests = packets / 2;
    options.rate = rate;
    crossbar_mode();
    const Run crossbar = timed(options);
    allport_mode(file);
    const Run allport = timed(options);
    std::printf("%24.2f  %17lld  %12.3f  %11.3f  %5.1f\n", rate, allport.cycles, crossbar.seconds,
                allport.seconds, allport.seconds / crossbar.seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* const file = argc > 1 ? argv[1] : MESH_ICNT;
  const unsigned long packets = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 10000;
  if (argc > 3 || packets < 2 || packets > 100000000) {
    std::fprintf(stderr, "gpgpu_sim [FILE [PACKETS]]: options of a network, and 2..100000000\n");
    return EXIT_FAILURE;
  }
  try {
    compare(file, packets);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpgpu_sim: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
