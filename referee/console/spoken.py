"""What stands on the glass, as one line to be read out: for people who do not see it."""

from __future__ import annotations

from referee.console import views
from referee.console.views import Cell, View


def spoken(view: View) -> str:
    """Return the text of a view as a screen reader should say it.

    >>> spoken(views.Idle("Sauron", "Attack", "Round 4"))
    'Sauron. Attack. Round 4'
    """
    return ". ".join(part for part in _parts(view) if part)


def _parts(view: View) -> tuple[str, ...]:
    if isinstance(view, (views.Grid, views.Rows, views.Pick)):
        return (view.band.left, view.band.right, *_cells(view.cells, view.lit))
    if isinstance(view, views.Dice):
        keyed = [str(face) for face in view.faces if face is not None]
        state = f"keyed {' '.join(keyed)} of {len(view.faces)}" if keyed else f"throw {len(view.faces)} dice"
        need = f"{view.need} {view.need_note}".strip()
        return (view.band.left, state, need, view.foot_left, view.foot_right)
    if isinstance(view, views.Count):
        return (view.band.left, view.band.right, f"{view.value}, from {view.low} to {view.high}", view.foot_left)
    if isinstance(view, views.Ruling):
        faces = " and ".join(str(face) for face in view.faces)
        return (
            view.headline,
            faces and f"dice {faces}",
            view.total and f"makes {view.total}",
            view.need,
            view.foot_left,
        )
    if isinstance(view, views.Why):
        return (f"{view.title} {view.rules}", *view.lines)
    if isinstance(view, views.Log):
        return (view.title, *view.lines)
    if isinstance(view, views.Refusal):
        return (view.title, view.text, view.code, view.hint)
    if isinstance(view, views.Idle):
        return (view.title, view.subtitle, view.foot_left, view.foot_right)
    if isinstance(view, views.Notice):
        return (view.title, view.text)
    if isinstance(view, views.Odds):
        return (view.band.left, *(f"{label} {text}" for label, _, text in view.rows))
    if isinstance(view, views.Confirm):
        return (view.title, view.text, view.hint)
    return ()


def _cells(cells: tuple[Cell, ...], lit: int | None) -> list[str]:
    said = []
    for index, cell in enumerate(cells):
        if not cell.text:
            continue
        marks = [
            mark
            for mark, there in (("not open", cell.barred), ("picked", cell.chosen), ("lit", index == lit))
            if there
        ]
        said.append(f"{index + 1} {cell.text}" + (f" ({', '.join(marks)})" if marks else ""))
    return said
