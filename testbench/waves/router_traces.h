// SPDX-License-Identifier: Apache-2.0
// The traces of one router in GTKWave's save file: one line that shows how many flits leave it, and
// below that, in the order in which a flit passes, each input and output that was used, as the
// messages on it; a port opens to its flits, buffers, owners and credits. Where there was
// contention, the waiting messages in the buffers and the numbers of contending pairs are in sight;
// a closed router's line shows them instead of its flits, and says since when.
// A twin stands below, with the same lines; above the two, the line that shows where they differ,
// and the port at which they do is open. Of a twin whose registers are unknown there are no owners
// and no contention.
#pragma once

#include "rtl_model/systemc/fabric.h"
#include "testbench/waves/gtkw_writer.h"
#include "testbench/waves/wave_selection.h"

namespace allport {

/// The line of the switching mode, where that is recorded; the number of lines written.
int write_switching(GtkwWriter& out, const Fabric& fabric);
void write_router(GtkwWriter& out, const Fabric& fabric, const ShownRouter& router);

}  // namespace allport
