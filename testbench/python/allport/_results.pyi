# SPDX-License-Identifier: Apache-2.0
from typing import Any

import numpy
import numpy.typing
import pandas
import xarray

class Results(dict[str, Any]):
    def __init__(self, results: Any = (), again: Any = None) -> None: ...
    @property
    def messages(self) -> numpy.typing.NDArray[numpy.void]: ...
    @property
    def channels(self) -> numpy.typing.NDArray[numpy.void]: ...

class Rows(list[dict[str, Any]]):
    def to_frame(self) -> pandas.DataFrame: ...
    def to_xarray(self) -> xarray.Dataset: ...
