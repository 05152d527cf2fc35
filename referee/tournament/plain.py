"""Dataclasses from plain JSON values; what is not what it must be is named by its path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from referee.errors import WHOLE, Malformed

T = TypeVar("T")


def from_json(kind: type[T], value: object, where: str = "") -> T:
    """Return the dataclass that a JSON object describes; a member that is left out has its default.

    Raises Malformed naming the member that is not what it must be, and what was expected.
    """
    if not isinstance(value, Mapping):
        raise Malformed(f"{where or kind.__name__}: expected an object, got {type(value).__name__}")
    shape: Any = kind
    types = _types(shape)
    for name in value:
        if name not in types:
            raise Malformed(f"{_path(where, str(name)[:40])}: not known; expected {', '.join(types) or 'nothing'}")
    missing = [f.name for f in fields(shape) if f.default is MISSING and f.name not in value]
    if missing:
        raise Malformed(f"{where or kind.__name__}: expected {', '.join(missing)} too")
    read: T = shape(**{name: _read(types[name], item, _path(where, name)) for name, item in value.items()})
    return read


def _read(kind: Any, value: object, where: str) -> Any:
    if get_origin(kind) is UnionType:
        return None if value is None else _read(get_args(kind)[0], value, where)
    if is_dataclass(kind):
        return from_json(kind, value, where)  # type: ignore[arg-type]
    if get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple)):
            raise Malformed(f"{where}: expected a list, got {type(value).__name__}")
        return tuple(_read(get_args(kind)[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise Malformed(f"{where}: expected one of {', '.join(get_args(kind))}; got {value!r:.40}")
        return value
    return _scalar(kind, value, where)


def _scalar(kind: Any, value: object, where: str) -> object:
    if type(value) is not kind or (type(value) is int and not -WHOLE < value < WHOLE):
        names = {int: "a whole number below 2**53", str: "text", bool: "true or false"}
        raise Malformed(f"{where}: expected {names[kind]}, got {value!r:.40}")
    return value


@lru_cache(maxsize=256)
def _types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in fields(kind)}


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
