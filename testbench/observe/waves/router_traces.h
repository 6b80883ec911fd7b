// SPDX-License-Identifier: Apache-2.0
// write_router() writes the traces of one router into GTKWave's save file: one line that shows how
// many flits leave it and, below that, in the order in which a flit passes them, each input and
// output that was used, as the messages on it; a port opens to its flits, buffers, owners and
// credits. If there was contention, the waiting messages in the buffers and the numbers of
// contending pairs are in sight; the line of a closed router shows them instead of its flits, and
// says since when there was contention. A twin is shown below, with the same lines; above the two
// is a line that shows where they differ, and the port at which they differ is open. A twin whose
// registers are unknown shows no owners and no contention.
#pragma once

#include "rtl_model/systemc/fabric.h"
#include "testbench/observe/waves/gtkw_writer.h"
#include "testbench/observe/waves/wave_selection.h"

namespace allport {

/// Writes the line of the switching mode if that is recorded; returns the number of lines written.
int write_switching(GtkwWriter& out, const Fabric& fabric);
void write_router(GtkwWriter& out, const Fabric& fabric, const ShownRouter& router);

}  // namespace allport
