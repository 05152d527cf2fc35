// The last ruling, in one band over the question: large and inverse as it falls, then folded to its headline.

import { dieFace, el } from "./dom.js";

export class Band {
  #shown = "";

  constructor(place) {
    this.place = place;
    // Esc closes the reasons, and is no Back of the box then.
    place.addEventListener("keydown", (event) => {
      const open = place.querySelector("details[open]");
      if (event.key !== "Escape" || !open) return;
      open.open = false;
      event.stopPropagation();
    });
  }

  /** `since`: what was entered after the ruling; where nothing has been ruled it stands in its place. */
  show({ ruling, card, title, n, over }, since) {
    const fresh = card.kind === "ruling";
    const told = JSON.stringify([ruling, fresh, n ? since : title, over]);
    if (told === this.#shown) return;
    this.#shown = told;
    this.place.className = ruling && fresh ? "fresh" : "";
    if (ruling) this.place.replaceChildren(...ruled(ruling, fresh ? ["Ruling"] : since && !over ? [el("span", { class: "near" }, "Since then: "), answerIn(since)] : ["Last ruling"], fresh));
    else this.place.replaceChildren(...(n ? news("So far", since || "Nothing has been ruled yet.") : welcome(title)));
  }
}

const welcome = (title) => news(title, "Tell the referee what happens: it keeps count and gives the rulings. You roll the dice.");

const news = (kick, text) => [el("div", { class: "says" }, el("p", { class: "kick" }, kick), el("p", { class: "quiet" }, text))];

/** Who answered, and the answer without its question; a bare number says nothing alone. */
function answerIn(text) {
  const [, who, answer] = /^(\p{L}[^:?]*: )?.*\? (.*)$/u.exec(text) ?? [];
  return /\p{L}/u.test(answer ?? "") ? (who ?? "") + answer : text;
}

/** Letters of a headline that would take more lines in its large size than its band has. */
const LONG = 24;

function ruled(ruling, kick, fresh) {
  const { headline, changed, why, faces, total, need, rules } = ruling;
  const long = headline.length > LONG;
  const codes = el("span", { class: "rules" }, ...rules.map((rule) => el("code", {}, rule)));
  return [
    el(
      "div",
      { class: "says" },
      el("p", { class: "kick" }, ...kick),
      el("p", { class: long ? "headline long" : "headline" }, el("span", { class: "said" }, headline), changed && !fresh && !long ? el("span", { class: "changed" }, ` · ${changed}`) : null),
    ),
    faces.length || total || need ? throwOf(ruling) : "",
    fresh || !why.length ? codes : folded(ruling, codes),
  ];
}

function folded({ changed, why, to_do: toDo }, codes) {
  return el(
    "details",
    { class: "reasons" },
    el("summary", {}, el("span", { class: "sum" }, why[0]), codes),
    el("div", { class: "because" }, ...because({ changed, to_do: toDo, why })),
  );
}

/** What has changed, what is to be done, and why. */
export function because({ changed, to_do: toDo, why }) {
  return [
    changed ? el("p", { class: "changed" }, changed) : "",
    toDo.length ? el("ol", { class: "to-do", "aria-label": "To do now" }, ...toDo.map((each) => el("li", {}, each))) : "",
    why.length ? el("ul", { class: "why", "aria-label": "Why" }, ...why.map((each) => el("li", {}, each))) : "",
  ];
}

function throwOf({ faces, sides, total, need }) {
  const sum = /^\d+$/.test(total) && faces.length > 1 ? `= ${total}` : total;
  return el(
    "p",
    { class: "throw" },
    faces.length ? el("span", { class: "unseen" }, `Dice ${faces.join(" and ")}`) : null,
    ...faces.map((face) => dieFace(face, sides)),
    sum ? el("span", {}, sum) : null,
    need ? el("span", { class: "need" }, need) : null,
  );
}
