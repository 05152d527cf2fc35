#!/bin/sh
# The carrier board as makers take it: electrical and design rules checked, Gerbers, drill files, a picture of each side.
#
#   make.sh FOLDER
#
# KICAD_PYTHON: the Python that has KiCad's own module, /usr/bin/python3 by default.
# Exit codes: 0 made; 1 KiCad found a fault, which is printed; 2 KiCad is missing.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
"$here/../deb/needs.sh" "make board" kicad-cli:kicad || exit 2
mkdir -p "$1"
folder=$(CDPATH='' cd -- "$1" && pwd)
cp "$here"/carrier.* "$here/parts.csv" "$folder"
layout=$folder/carrier.kicad_pcb
# The pour of ground is not in the file.
"${KICAD_PYTHON:-/usr/bin/python3}" -c "
import pcbnew
board = pcbnew.LoadBoard('$layout')
pcbnew.ZONE_FILLER(board).Fill(board.Zones())
board.Save('$layout')
"
found=$folder/faults.txt
check() {
    kicad-cli "$@" --severity-all --exit-code-violations -o "$found" >/dev/null || {
        cat "$found" >&2
        exit 1
    }
}
check sch erc "$folder/carrier.kicad_sch"
check pcb drc --schematic-parity "$layout"
rm "$found"
gerbers=$folder/gerbers
mkdir -p "$gerbers"
kicad-cli pcb export gerbers --layers F.Cu,B.Cu,F.SilkS,B.SilkS,F.Mask,B.Mask,Edge.Cuts -o "$gerbers/" "$layout" >/dev/null
kicad-cli pcb export drill -o "$gerbers/" "$layout" >/dev/null
python3 -m zipfile -c "$gerbers.zip" "$gerbers"/*
rm -r "$gerbers"
for side in top bottom; do
    kicad-cli pcb render --side "$side" -o "$folder/$side.png" "$layout" >/dev/null
done
echo "$folder: KiCad finds no fault"
