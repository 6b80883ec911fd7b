// SPDX-License-Identifier: Apache-2.0
#include "icnt_wrapper.h"

void (*icnt_create)(unsigned shaders, unsigned memories);
void (*icnt_init)();
bool (*icnt_has_buffer)(unsigned input, unsigned bytes);
void (*icnt_push)(unsigned input, unsigned output, void* data, unsigned bytes);
void* (*icnt_pop)(unsigned output);
void (*icnt_transfer)();
bool (*icnt_busy)();
void (*icnt_display_stats)();
void (*icnt_display_overall_stats)();
void (*icnt_display_state)(std::FILE* stream);
unsigned (*icnt_get_flit_size)();
