# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: the version stands in CMakeLists.txt, and CMake builds the compiled module."""

import os
import pathlib
import re
import subprocess
import sys

import pybind11
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        folder = pathlib.Path(self.build_temp).resolve()
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DALLPORT_TESTS=OFF",
                        "-DALLPORT_BATCHES=ON", "-DALLPORT_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}",
                        f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "allport_python", f"-j{os.cpu_count()}"], check=True)
        (built,) = (folder / "testbench/python/allport").glob("_allport_network.*")
        self.copy_file(built, target)


build = ROOT / "build"  # what is made on the way is there, too
build.mkdir(exist_ok=True)
setup(version=re.search(r"^project\(allport VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1),
      ext_modules=[Extension("allport._allport_network", [])], cmdclass={"build_ext": BuildByCMake},
      options={"egg_info": {"egg_base": str(build)}})
