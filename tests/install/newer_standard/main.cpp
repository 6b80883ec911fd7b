// SPDX-License-Identifier: Apache-2.0
// This is the smallest program that needs SystemC.
#include "tlm/message/message.h"

int sc_main(int, char**) { return 0; }
