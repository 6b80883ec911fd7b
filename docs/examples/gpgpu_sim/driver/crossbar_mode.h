// SPDX-License-Identifier: Apache-2.0
// An ideal crossbar behind the pointers of icnt_wrapper.h, to compare with.
#pragma once

/// Sets the pointers: each device has a queue for what it sends, and in a cycle each receives one
/// packet, whatever its length, of one that is at the front of a queue.
void crossbar_mode();
