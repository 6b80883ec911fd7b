// SPDX-License-Identifier: Apache-2.0
// The traces of one router in GTKWave's save file: one line that shows how many flits leave it, and
// below that, in the order in which a flit passes, each input and output that was used, as the
// messages on it; a port opens to its flits, buffers, owners and credits. Where there was
// contention, the waiting messages in the buffers and the numbers of contending pairs are in sight.
// A twin stands below, with the same lines; above the two, the line that shows where they differ,
// and the port at which they do is open.
#pragma once

#include "rtl_model/systemc/fabric.h"
#include "testbench/waves/gtkw_writer.h"
#include "testbench/waves/wave_selection.h"

namespace allport {

void write_router(GtkwWriter& out, const Fabric& fabric, const ShownRouter& router);

}  // namespace allport
