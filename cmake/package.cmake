# SPDX-License-Identifier: Apache-2.0
# Packages for Debian (scripts/package): `allport`, the program with its pages, schemas and completions,
# `python3-allport`, the package for Python, and `allport-dev`, headers, libraries and the CMake package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR allport)
set(CPACK_PACKAGE_CONTACT "the authors of allport <allport@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL allport development python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_COMPONENT_ALLPORT_DESCRIPTION "The program: it plans collectives, proves or refutes their schedules, simulates them to the
cycle on routers in SystemC and in SystemVerilog, and explains every cycle of every latency.")
set(CPACK_DEBIAN_ALLPORT_PACKAGE_NAME allport)
set(CPACK_DEBIAN_ALLPORT_PACKAGE_SECTION science)
set(CPACK_DEBIAN_ALLPORT_PACKAGE_RECOMMENDS "python3-allport, verilator, g++, make, gnuplot-nox")
set(CPACK_DEBIAN_ALLPORT_PACKAGE_SUGGESTS "graphviz, gtkwave, allport-dev")

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers and libraries: planning, proof, theory and simulation from C++17, found by CMake's
find_package(allport).")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME allport-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "allport (= ${PROJECT_VERSION}), libsystemc-dev, libfmt-dev, libpugixml-dev, libtomlplusplus-dev, libprotobuf-dev, nlohmann-json3-dev, zlib1g-dev, pkg-config")

set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The package allport for Python: it runs the program, and drives a network
message by message from a loop of one's own.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-allport)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS ${ALLPORT_PYTHON_DEPENDS})
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "allport, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-xarray")
# `allport` had the module before 1.3.0.
set(CPACK_DEBIAN_PYTHON_PACKAGE_BREAKS "allport (<< 1.3.0)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_REPLACES "allport (<< 1.3.0)")
include(CPack)
