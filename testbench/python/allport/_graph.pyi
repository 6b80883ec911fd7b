# SPDX-License-Identifier: Apache-2.0
import os
from typing import Any

class Graph:
    file: str
    def __init__(self, file: str | os.PathLike[str]) -> None: ...
    @classmethod
    def from_networkx(cls, graph: Any, file: str | os.PathLike[str] | None = None) -> Graph: ...
    def to_networkx(self) -> Any: ...
