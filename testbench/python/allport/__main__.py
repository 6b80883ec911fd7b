# SPDX-License-Identifier: Apache-2.0
"""python -m allport: the program, in place of this process."""

import os
import sys

from . import Error, _no_program, _program


def main():
    program = _program()
    try:
        os.execvp(program, [program, *sys.argv[1:]])
    except OSError as fault:
        return f"allport: {_no_program(fault)}"


if __name__ == "__main__":
    sys.exit(main())
