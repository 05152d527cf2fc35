"""Small faults for a Python source: each is one change of its syntax tree that a test should notice.

What nobody could notice is left alone: docstrings, annotations, assertions, decorators, imports, aliases of types; so
are words for people, which the golden images and the tests of texts look at.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType

Node = ast.AST
Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
TYPING = {"Literal", "TypeVar", "NewType", "TypedDict", "NamedTuple", "cast", "TypeVarTuple", "ParamSpec"}
LEFT_ALONE = ("annotation", "returns", "decorator_list", "type_params", "bases", "format_spec", "pattern")
"""Fields of the tree in which nothing is changed."""
IDENTIFIER = re.compile(r"[a-z0-9]+([._-][a-z0-9]+)*")


@dataclass(frozen=True)
class Mutant:
    """One fault.

    ``lines``      its own and those of the innermost statement around it
    ``function``   whether it lies in the body of a function; if not, it takes effect when the module is imported
    ``name``       what is defined there: of a function, a class or a variable
    ``number``     its place among the sites of its file
    """

    file: str
    package: str
    line: int
    lines: frozenset[int]
    function: bool
    name: str
    number: int
    diff: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Where:
    """Where in a module a node stands; see `Mutant`."""

    statement: range = range(0)
    function: bool = False
    name: str = ""

    def inside(self, node: Node, *, body: bool) -> Where:
        """Return where the children of a node stand."""
        here = replace(self, function=self.function or body)
        if not isinstance(node, ast.stmt):
            return here
        last = node.lineno if here.function and hasattr(node, "body") else node.end_lineno or node.lineno
        return replace(here, statement=range(node.lineno, last + 1), name=_defined(node) or self.name)


@dataclass
class Site:
    """A node that can be put in another's place: `put` and `take_back` change the tree itself."""

    parent: Node
    name: str
    index: int | None
    old: Node
    new: Node
    where: Where

    def put(self) -> None:
        self._set(self.new)

    def take_back(self) -> None:
        self._set(self.old)

    def _set(self, node: Node) -> None:
        if self.index is None:
            setattr(self.parent, self.name, node)
        else:
            getattr(self.parent, self.name)[self.index] = node


@dataclass
class Source:
    """A module as a tree, and the places at which it can be changed. ``file`` is relative to ``root``."""

    root: Path
    file: str
    sites: list[Site] = field(init=False)

    def __post_init__(self) -> None:
        self.path = str((self.root / self.file).resolve())
        self.text = Path(self.path).read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)
        self.sites = list(_walk(self.tree, Where()))
        self.original = self._compile()

    def _compile(self) -> CodeType:
        return compile(self.tree, self.path, "exec", dont_inherit=True)

    def code(self, number: int) -> CodeType:
        """Return the module compiled with one fault in it."""
        site = self.sites[number]
        site.put()
        try:
            return self._compile()
        finally:
            site.take_back()

    def mutant(self, number: int, package: str) -> Mutant | None:
        """Return one fault, None if it makes the same program."""
        site = self.sites[number]
        if same(self.code(number), self.original):
            return None
        where = site.where
        (first, _), (last, _) = _span(site.old)
        lines = frozenset([*where.statement, *range(first, last + 1)])
        return Mutant(self.file, package, first, lines, where.function, where.name, number, self._diff(site))

    def _diff(self, site: Site) -> str:
        """Return the changed lines as a diff shows them."""
        (first, start), (last, end) = _span(site.old)
        lines = self.text.encode().splitlines(keepends=True)
        before, after = lines[first - 1][:start], lines[last - 1][end:]
        parts = site.new.ifs or [ast.Constant(True)] if isinstance(site.new, ast.comprehension) else [site.new]
        new = " if ".join(map(ast.unparse, parts))
        changed = before + new.encode() + after
        old = b"".join(lines[first - 1 : last]).decode().splitlines()
        return "\n".join(list(difflib.unified_diff(old, changed.decode().splitlines(), lineterm="", n=0))[3:])


def _span(node: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where a node begins and ends: lines from 1, columns in bytes."""
    if isinstance(node, ast.comprehension):  # it has no place of its own, and is changed only if it has a condition
        return _span(node.ifs[0])[0], _span(node.ifs[-1])[1]
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def same(one: CodeType, other: CodeType) -> bool:
    """Whether two code objects do the same, whatever their line numbers."""
    if (one.co_code, one.co_names, one.co_varnames, one.co_flags) != (
        other.co_code,
        other.co_names,
        other.co_varnames,
        other.co_flags,
    ):
        return False
    return len(one.co_consts) == len(other.co_consts) and all(
        same(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else (type(a), a) == (type(b), b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


def _walk(parent: Node, where: Where) -> Iterator[Site]:
    """Yield every place below a node and what to put there, in the order of the text."""
    for name, index, node in _children(parent):
        here = where.inside(node, body=isinstance(parent, Function) and name == "body")
        for new in _variants(node, parent):
            at = node.target if isinstance(node, ast.comprehension) else node
            located = ast.fix_missing_locations(ast.copy_location(copy(new), at))  # a part of it may stand there
            yield Site(parent, name, index, node, located, here)
        yield from _walk(node, here)


def _children(parent: Node) -> Iterator[tuple[str, int | None, Node]]:
    """Yield the nodes below one that may be changed, with the field they are in."""
    if isinstance(parent, (ast.Assert, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)):
        return
    for name, value in ast.iter_fields(parent):
        if name in LEFT_ALONE or (name == "keywords" and isinstance(parent, ast.ClassDef)):
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(node, ast.AST) and not _left_alone(node):
                yield name, index, node


def _left_alone(node: Node) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # a docstring
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return True
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("__all__", "__slots__"):
        return True
    if isinstance(node, (ast.Call, ast.Subscript)):
        made_by = node.func if isinstance(node, ast.Call) else node.value
        return ast.unparse(made_by).rpartition(".")[2] in TYPING
    return isinstance(node, (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop))


def _defined(node: Node) -> str:
    """Return the name a statement gives to something, an empty one if it gives none."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return target.id if isinstance(target, ast.Name) else ""
    return ""


def _variants(node: Node, parent: Node) -> Iterator[Node]:
    """Yield what may stand in a node's place."""
    condition = isinstance(parent, (ast.If, ast.While, ast.IfExp)) and node is parent.test
    if condition and not isinstance(node, (ast.Compare, ast.UnaryOp)):  # they are turned round by themselves
        yield ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]
    for kind, make in VARIANTS.items():
        if isinstance(node, kind):
            yield from make(node, parent)
            return


def _compare(node: ast.Compare, _: Node) -> Iterator[Node]:
    for i, op in enumerate(node.ops):
        for other in COMPARE[type(op)]:
            yield ast.Compare(node.left, [*node.ops[:i], other(), *node.ops[i + 1 :]], node.comparators)


def _bool_op(node: ast.BoolOp, _: Node) -> Iterator[Node]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for i in range(len(node.values)):
        rest = node.values[:i] + node.values[i + 1 :]
        yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _unary_op(node: ast.UnaryOp, _: Node) -> Iterator[Node]:
    if isinstance(node.op, (ast.Not, ast.USub, ast.Invert)):
        yield node.operand


def _bin_op(node: ast.BinOp, parent: Node) -> Iterator[Node]:
    operands = (node.left, node.right)
    text = any(isinstance(each, ast.JoinedStr) or isinstance(getattr(each, "value", 0), str) for each in operands)
    types = isinstance(node.op, ast.BitOr) and any(map(_is_type, operands))
    if type(node.op) in ARITHMETIC and not text and not types:
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)


def _is_type(node: Node) -> bool:
    name = ast.unparse(node.value if isinstance(node, ast.Subscript) else node).rpartition(".")[2]
    return name in ("None", "int", "str", "bytes", "bool", "float", "tuple", "list", "dict", "set") or name.istitle()


def _aug_assign(node: ast.AugAssign, _: Node) -> Iterator[Node]:
    if type(node.op) in ARITHMETIC:
        yield ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
    yield ast.Pass()


def _constant(node: ast.Constant, parent: Node) -> Iterator[Node]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        if value > 0:
            yield ast.Constant(value - 1)
    elif isinstance(value, float):
        yield ast.Constant(value * 2 or 1.0)
    elif isinstance(value, str) and IDENTIFIER.fullmatch(value) and not isinstance(parent, ast.JoinedStr):
        yield ast.Constant(value + "x")


def _if_exp(node: ast.IfExp, _: Node) -> Iterator[Node]:
    yield node.body
    yield node.orelse


def _comprehension(node: ast.comprehension, _: Node) -> Iterator[Node]:
    for i in range(len(node.ifs)):
        yield ast.comprehension(node.target, node.iter, node.ifs[:i] + node.ifs[i + 1 :], node.is_async)


def _return(node: ast.Return, _: Node) -> Iterator[Node]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield ast.Return(ast.Constant(None))


def _statement(node: ast.stmt, _: Node) -> Iterator[Node]:
    """Leave it out."""
    yield ast.Pass()


def _assign(node: ast.Assign, _: Node) -> Iterator[Node]:
    """Leave out what changes an object; without a local the code would only stop."""
    if all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets):
        yield ast.Pass()


def _expression(node: ast.Expr, _: Node) -> Iterator[Node]:
    if isinstance(node.value, (ast.Call, ast.Yield, ast.YieldFrom, ast.Await)):
        yield ast.Pass()


def _break(node: ast.Break, _: Node) -> Iterator[Node]:
    yield ast.Continue()


def _continue(node: ast.Continue, _: Node) -> Iterator[Node]:
    yield ast.Break()


def _call(node: ast.Call, _: Node) -> Iterator[Node]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLS:
        yield ast.Call(ast.Name(CALLS[node.func.id], ast.Load()), node.args, node.keywords)


VARIANTS: dict[type[Node] | tuple[type[Node], ...], Callable[..., Iterator[Node]]] = {
    ast.Compare: _compare,
    ast.BoolOp: _bool_op,
    ast.UnaryOp: _unary_op,
    ast.BinOp: _bin_op,
    ast.AugAssign: _aug_assign,
    ast.Constant: _constant,
    ast.IfExp: _if_exp,
    ast.comprehension: _comprehension,
    ast.Return: _return,
    (ast.Raise, ast.Delete): _statement,
    ast.Assign: _assign,
    ast.Expr: _expression,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Call: _call,
}
"""What can be made of each kind of node."""
