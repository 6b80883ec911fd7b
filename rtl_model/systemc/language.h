// SPDX-License-Identifier: Apache-2.0
// A SystemC library links only with sources of the C++ standard with which it was built; the linker
// would report a mismatch in terms of `sc_api_version`. Each header that includes SystemC includes
// this one, so that the compiler reports it in a sentence.
#pragma once

#if __cplusplus != 201703L
#error "allport needs C++17 here, as SystemC was built with it: set CXX_STANDARD 17 for this target"
#endif
