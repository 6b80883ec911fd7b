// SPDX-License-Identifier: Apache-2.0
// This header has files that the program reads, and a way to damage them.
#pragma once

#include <string>

#include "tests/support/draw.h"

namespace allport::test {

extern const char* const sound_scenario;
extern const char* const sound_pattern;  ///< a scenario of synthetic traffic
extern const char* const sound_grid;
extern const char* const sound_schedule;  ///< on a 3-cube
extern const char* const sound_blocks;    ///< lines of every kind of message, on a torus
extern const char* const sound_program;   ///< MSCCL XML for two GPUs
extern const char* const sound_plan;      ///< an execution plan of MSCCL++ for two GPUs
extern const char* const sound_trace;     ///< a time-independent trace of two ranks
extern const char* const sound_goal;      ///< GOAL of two ranks

/// A Chakra trace of one rank of two, which send each other a message.
std::string sound_chakra(int rank);

/// `text` after one to four accidents: bytes are lost, changed, moved or replaced by text that has
/// a meaning in TOML or JSON.
std::string damaged(std::string text, Draw& draw);

}  // namespace allport::test
