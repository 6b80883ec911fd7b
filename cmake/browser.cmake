# SPDX-License-Identifier: Apache-2.0
# The libraries of the program where it is compiled for browsers (scripts/playground): headers of the
# distribution, and the sources of its packages systemc and pugixml in ALLPORT_SOURCES.
set(ALLPORT_SOURCES ${PROJECT_BINARY_DIR}/sources CACHE PATH "Folder with the sources of systemc and pugixml")
file(GLOB systemc ${ALLPORT_SOURCES}/systemc-*/src)
file(GLOB pugixml ${ALLPORT_SOURCES}/pugixml-*/src)
if(NOT systemc OR NOT pugixml)
  message(FATAL_ERROR "${ALLPORT_SOURCES} must have the sources of systemc and pugixml: scripts/playground fetches them")
endif()

# Exceptions cost nothing there until they are thrown.
add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)

# Only these headers: beside them lie those of this machine's C library.
set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(name CLI fmt nlohmann toml++)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "/usr/include/${name} is missing: scripts/setup run installs what the program needs")
  endif()
  file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
endforeach()
function(header_library name)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${headers}
    INTERFACE_COMPILE_DEFINITIONS "${ARGN}")
endfunction()
header_library(fmt::fmt FMT_HEADER_ONLY)
header_library(nlohmann_json::nlohmann_json)
header_library(tomlplusplus::tomlplusplus TOML_HEADER_ONLY=1)
header_library(CLI11::CLI11)

add_library(pugixml STATIC ${pugixml}/pugixml.cpp)
target_include_directories(pugixml SYSTEM PUBLIC ${pugixml})
add_library(pugixml::pugixml ALIAS pugixml)

# Its own main is not the program's. Its coroutines are threads, of which a page has none: what runs there are methods.
file(GLOB_RECURSE systemc_sources ${systemc}/sysc/*.cpp ${systemc}/tlm_core/*.cpp ${systemc}/tlm_utils/*.cpp)
list(FILTER systemc_sources EXCLUDE REGEX "/packages/|/sc_main.cpp$")
add_library(systemc STATIC ${systemc_sources})
target_include_directories(systemc SYSTEM PUBLIC ${systemc})
target_compile_definitions(systemc PUBLIC SC_USE_PTHREADS PRIVATE SC_BUILD)
target_compile_options(systemc PRIVATE -w)
add_library(PkgConfig::SystemC ALIAS systemc)
