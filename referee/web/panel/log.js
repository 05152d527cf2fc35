// The log, the newest line at its end and in sight; every entry can show its reasons. Nothing is removed: undone entries are struck through.

import { el, reconcile } from "./dom.js";
import { joined } from "./log_lines.js";

/** Height in pixels less than which is left unread when the end of the log is in sight. */
const LINE = 24;

const KINDS = {
  ruling: "ruling",
  correct: "corrected",
  override: "override",
  start: "start",
  over: "game over",
};

export class Log {
  #list = el("ol", { role: "list" });
  #lines = [];
  /** Whether the end is in sight; whoever reads what was earlier is left there. */
  #follows = true;
  #width = 0;

  constructor(place) {
    this.place = place;
    place.replaceChildren(this.#list);
    new ResizeObserver(() => this.#keepUp()).observe(place);
    for (const event of ["scroll", "toggle"]) place.addEventListener(event, () => this.#look(), { capture: true });
  }

  show({ since, entries }) {
    this.#lines = joined(this.#lines, { since, entries: named(entries) });
    // What was taken back is struck through: that somebody took it back need not be said again.
    reconcile(this.#list, this.#lines.filter(({ kind }) => kind !== "undo"), (entry) => entry.name, build);
    this.place.classList.toggle("empty", this.#lines.length === 0);
    // Where the end is is known when the frame is laid out.
    requestAnimationFrame(() => this.#keepUp());
  }

  /** What was entered last and counts, if nothing has been ruled since. */
  get latest() {
    const entry = this.#lines.findLast(({ undone, kind }) => !undone && !["start", "leave", "reminder", "over"].includes(kind));
    return entry && entry.kind !== "ruling" ? [entry.seat === "Table" ? "" : entry.seat, entry.text].filter(Boolean).join(": ") : "";
  }

  #keepUp() {
    this.#width = this.place.clientWidth;
    if (this.#follows) this.place.scrollTop = this.place.scrollHeight;
  }

  #look() {
    if (this.place.clientWidth !== this.#width) return; // its lines are broken anew, and nobody has scrolled
    const { scrollHeight, scrollTop, clientHeight } = this.place;
    this.#follows = scrollHeight - scrollTop - clientHeight < LINE;
  }
}

// One entry of the journal can have several lines: the answer, and the rulings.
function named(entries) {
  const lines = new Map();
  return entries.map((entry) => {
    const line = lines.get(entry.seq) ?? 0;
    lines.set(entry.seq, line + 1);
    return { ...entry, name: `${entry.seq}.${line}` };
  });
}

function build(entry) {
  const reasons = entry.why.length + entry.rules.length > 0;
  const head = [
    el("span", { class: "seq" }, String(entry.seq)),
    entry.seat ? el("span", { class: "who" }, entry.seat) : null,
    entry.undone ? el("s", {}, entry.text) : el("span", { class: "what" }, entry.text),
    entry.dice ? el("span", { class: "tag dice" }, entry.dice) : null,
    entry.kind in KINDS ? el("span", { class: `tag ${entry.kind}` }, KINDS[entry.kind]) : null,
    entry.undone ? el("span", { class: "tag undone" }, "undone") : null,
  ];
  const body = reasons
    ? el(
        "details",
        {},
        el("summary", { class: "entry" }, ...head),
        el(
          "div",
          { class: "reasons" },
          ...entry.why.map((line) => el("p", {}, line)),
          entry.rules.length ? el("p", { class: "rules" }, ...entry.rules.map((rule) => el("code", {}, rule))) : null,
        ),
      )
    : el("p", { class: "entry" }, ...head);
  return el("li", { class: `${entry.kind}${entry.undone ? " undone" : ""}` }, body);
}
