// SPDX-License-Identifier: Apache-2.0
// Where memory runs out, there is still some for saying so.
#pragma once

namespace allport {

/// Sets some memory aside, which is given back when an allocation of this process fails for the
/// first time; that allocation fails with std::bad_alloc all the same.
void reserve_memory();

}  // namespace allport
