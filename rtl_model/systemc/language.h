// SPDX-License-Identifier: Apache-2.0
// A SystemC library links only with sources of the C++ standard it was built with, of which the
// linker would speak in terms of `sc_api_version`. Each header that includes SystemC knows this
// one, so that the compiler says it in a sentence.
#pragma once

#if __cplusplus != 201703L
#error "allport needs C++17 here, as SystemC was built with it: set CXX_STANDARD 17 for this target"
#endif
