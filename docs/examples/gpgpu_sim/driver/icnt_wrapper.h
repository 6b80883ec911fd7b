// SPDX-License-Identifier: Apache-2.0
// The pointers by which GPGPU-Sim calls its interconnect, for a driver without the simulator: names
// and types are those of its header of the same name.
#pragma once

#include <cstdio>

extern void (*icnt_create)(unsigned shaders, unsigned memories);
extern void (*icnt_init)();
extern bool (*icnt_has_buffer)(unsigned input, unsigned bytes);
extern void (*icnt_push)(unsigned input, unsigned output, void* data, unsigned bytes);
extern void* (*icnt_pop)(unsigned output);
extern void (*icnt_transfer)();
extern bool (*icnt_busy)();
extern void (*icnt_display_stats)();
extern void (*icnt_display_overall_stats)();
extern void (*icnt_display_state)(std::FILE* stream);
extern unsigned (*icnt_get_flit_size)();
