# SPDX-License-Identifier: Apache-2.0
# Packages for Debian (scripts/package): `allport`, the program with its pages, schemas and completions,
# `python3-allport`, the package for Python, `liballport1`, the shared library for C, `liballport-dev`, what
# links with it, and `allport-dev`, headers and libraries for C++ with the CMake package; with a site
# (ALLPORT_SITE) also `allport-doc`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR allport)
set(CPACK_PACKAGE_CONTACT "the authors of allport <allport@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL allport c_library c_development development python)
if(ALLPORT_SITE)
  list(APPEND CPACK_COMPONENTS_ALL doc)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# What is linked with a version of the library runs with it and with later ones.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
# Each description begins with a line of its own in place of the project's.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")

set(CPACK_COMPONENT_ALLPORT_DESCRIPTION "cycle-accurate model of all-port wormhole routers
The program plans collectives, proves or refutes their schedules, simulates
them to the cycle on routers in SystemC and in SystemVerilog, and explains
every cycle of every latency.")
set(CPACK_DEBIAN_ALLPORT_PACKAGE_NAME allport)
set(CPACK_DEBIAN_ALLPORT_PACKAGE_SECTION science)
set(CPACK_DEBIAN_ALLPORT_PACKAGE_RECOMMENDS "python3-allport, verilator, g++, make, gnuplot-nox")
set(CPACK_DEBIAN_ALLPORT_PACKAGE_SUGGESTS "graphviz, gtkwave, liballport-dev, allport-dev")

set(library liballport${ALLPORT_C_SOVERSION})
set(CPACK_COMPONENT_C_LIBRARY_DESCRIPTION "networks of wormhole routers that other simulators drive
A simulator hands messages over, each at a cycle, lets cycles pass, and hears
what was received: heads and tails are there to the cycle.
.
This package has the shared library, whose functions are called from C.")
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/triggers)

set(CPACK_COMPONENT_C_DEVELOPMENT_DESCRIPTION "networks of wormhole routers that other simulators drive: for C
A simulator hands messages over, each at a cycle, lets cycles pass, and hears
what was received: heads and tails are there to the cycle.
.
This package has what is needed to compile and link clients: the header for C,
found by pkg-config, and the class for testbenches in SystemVerilog, which
calls the library over DPI-C.")
set(CPACK_DEBIAN_C_DEVELOPMENT_PACKAGE_NAME liballport-dev)
set(CPACK_DEBIAN_C_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_C_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_C_DEVELOPMENT_PACKAGE_DEPENDS "${library} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_C_DEVELOPMENT_PACKAGE_SUGGESTS "pkg-config, allport")
# `allport-dev` had the files of both before 1.5.0.
foreach(component C_LIBRARY C_DEVELOPMENT)
  set(CPACK_DEBIAN_${component}_PACKAGE_BREAKS "allport-dev (<< 1.5.0)")
  set(CPACK_DEBIAN_${component}_PACKAGE_REPLACES "allport-dev (<< 1.5.0)")
endforeach()

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "model of all-port wormhole routers as a library for C++
Headers and static libraries bring planning, proof, theory, simulation and
networks that other simulators drive to programs in C++17. A project in CMake
has them by find_package(allport).")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME allport-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
string(JOIN ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "allport (= ${PROJECT_VERSION})" "liballport-dev (= ${PROJECT_VERSION})" libsystemc-dev libfmt-dev libpugixml-dev
  libtomlplusplus-dev libprotobuf-dev nlohmann-json3-dev zlib1g-dev pkg-config)

set(CPACK_COMPONENT_PYTHON_DESCRIPTION "model of all-port wormhole routers from Python
The package allport for Python runs the program of the same name, and drives a
network message by message from a loop of one's own, which does not need it.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-allport)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS ${ALLPORT_PYTHON_DEPENDS})
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "allport, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-xarray, python3-networkx")
# `allport` had the module before 1.4.0.
set(CPACK_DEBIAN_PYTHON_PACKAGE_BREAKS "allport (<< 1.4.0)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_REPLACES "allport (<< 1.4.0)")

set(CPACK_COMPONENT_DOC_DESCRIPTION "pages about the model of all-port wormhole routers, and a playground
The site of the documentation opens from the disk. Its playground plans,
proves, simulates and explains in a browser, and needs no installation.")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME allport-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DOC_PACKAGE_SUGGESTS allport)
include(CPack)
