"""Converts cases from dicts to YAML text, and collects the arrays in them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

import numpy

from ._arrays import as_solver_takes, is_array

Case = Union[Mapping[str, Any], str, "os.PathLike[str]"]

file_of_arrays = "/dev/null/arrays"  # solver/problem/memory_arrays.hpp
_plain_text = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_plain_key = re.compile(r"[A-Za-z_][A-Za-z0-9_.+-]*\Z|-?[0-9]+\Z")
_words_of_yaml = {"true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf"}


def _scalar(value: Any, key: str) -> str:
    if value is None:
        return "null"
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, numpy.generic):
        return _scalar(value.item(), key)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        plain = _plain_text.match(value) and value.lower() not in _words_of_yaml
        return value if plain else json.dumps(value, ensure_ascii=False)
    raise TypeError(
        f"{key or 'the case'}: expected a number, a text, a list, a map or an array, found a {type(value).__name__}"
    )


def _key(key: Any, path: str) -> str:
    if isinstance(key, numpy.generic):
        key = key.item()
    if isinstance(key, bool) or not isinstance(key, (str, int)):
        raise TypeError(f"{path or 'the case'}: expected text as a key, or a whole number as a label; found {key!r}")
    text = str(key)
    return text if _plain_key.match(text) and text.lower() not in _words_of_yaml else json.dumps(text, ensure_ascii=False)


@dataclass
class _Writer:
    """Writes values as YAML and collects the arrays among them, each under its key."""

    arrays: dict[str, numpy.ndarray] = field(default_factory=dict)

    def _array(self, value: Any, path: str) -> str:
        array = as_solver_takes(value, path)
        if array.ndim == 0:
            return _scalar(array.item(), path)
        self.arrays[path] = array
        return f"file: {file_of_arrays}, dataset: {json.dumps(path)}"

    def flow(self, value: Any, path: str) -> str:
        """Writes a value in one line, as overrides and the elements of lists need it."""
        if isinstance(value, Mapping):
            return "{" + ", ".join(self._entries(value, path)) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(self.flow(one, f"{path}[{i}]") for i, one in enumerate(value)) + "]"
        if is_array(value):
            text = self._array(value, path)
            return "{" + text + "}" if path in self.arrays else text
        return _scalar(value, path)

    def _entries(self, values: Mapping[Any, Any], path: str) -> list[str]:
        entries = []
        for key, value in values.items():
            below = f"{path}.{key}" if path else str(key)
            if key == "array":  # of a map with labels or a factor
                entries.append(self._array(value, path))
            else:
                entries.append(f"{_key(key, path)}: {self.flow(value, below)}")
        return entries

    def block(self, values: Mapping[Any, Any], path: str = "", indent: str = "") -> str:
        """Writes one line per key, so that messages can name the line of a key."""
        text = ""
        for key, value in values.items():
            below = f"{path}.{key}" if path else str(key)
            if isinstance(value, Mapping) and value and "array" not in value:
                text += f"{indent}{_key(key, path)}:\n{self.block(value, below, indent + '  ')}"
            else:
                text += f"{indent}{_key(key, path)}: {self.flow(value, below)}\n"
        return text


@dataclass(frozen=True)
class PreparedCase:
    """Input of the solver: a text (None: the file at `path` is read), overrides, and the arrays that both refer to."""

    text: str | None
    path: str
    overrides: list[str]
    arrays: dict[str, numpy.ndarray]


def overrides_of(given: Mapping[str, Any] | None, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Merges overrides with dotted keys and keywords, in which two underscores stand for a dot.

    >>> overrides_of({"solver.rtol": 1e-6}, {"grid__spacing": 0.5})
    {'solver.rtol': 1e-06, 'grid.spacing': 0.5}
    """
    merged = dict(given or {})
    for keyword, value in keywords.items():
        key = keyword.replace("__", ".")
        if key in merged:
            raise TypeError(f"{key} is given twice, as an override and as the keyword {keyword}")
        merged[key] = value
    return merged


def prepare(case: Case, overrides: Mapping[str, Any], name: str, folder: str | os.PathLike[str] | None) -> PreparedCase:
    """Returns the case as input of the solver. `name` is the name of a case that is not a file; its data files are relative to `folder`.

    >>> print(prepare({"problem": {"type": "diffusion", "a": 2.0}}, {}, "case", None).text, end="")
    problem:
      type: diffusion
      a: 2.0
    >>> prepare("heated_plate.yaml", {"solver.rtol": 1e-6, "output.fields": ["u"]}, "case", None).overrides
    ['solver.rtol=1e-06', 'output.fields=[u]']
    """
    writer = _Writer()
    given: str | None = None
    if isinstance(case, Mapping):
        given = writer.block(case)
    elif isinstance(case, str) and ("\n" in case or ": " in case):
        given = case
    elif not isinstance(case, (str, os.PathLike)):
        raise TypeError(f"expected a case as a dict, a path or a YAML text, found a {type(case).__name__}")
    if given is None:
        path = Path(os.fspath(case))  # type: ignore[arg-type]
    else:
        path = Path(folder or "") / name
    changes = []
    for key, value in overrides.items():
        if not isinstance(key, str):
            raise TypeError(f"expected a dotted key such as 'solver.rtol' as the name of an override, found {key!r}")
        changes.append(f"{key}={writer.flow(value, key)}")
    return PreparedCase(given, str(path), changes, writer.arrays)
