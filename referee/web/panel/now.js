// What is asked or told now, with a button for all that can be pressed; and the last ruling with its reasons.

import { dieFace, el, reconcile } from "./dom.js";

/** The card on the glass. A button stays the same node while it says the same, so that no press is lost under it. */
export class Now {
  #screen = 0;
  #text = el("p", { class: "asked" });
  #buttons = el("ul", { class: "buttons" });

  /** @param {(tap: {screen: number, button: string, held: boolean}) => void} send */
  constructor(place, send) {
    this.send = send;
    place.append(this.#text, this.#buttons);
  }

  show(screen, { title, text, whose, buttons }) {
    this.#screen = screen;
    const head = title ? el("span", { class: "who" }, title) : null;
    const waits = whose ? el("span", { class: "whose" }, `${whose}, press your button`) : null;
    this.#text.replaceChildren(...[head, text, waits].filter(Boolean));
    this.#buttons.classList.toggle("few", buttons.every((button) => button.text.length <= 2));
    reconcile(this.#buttons, buttons, ({ id }) => id, (button) => this.#build(button));
  }

  #build({ id, text, key, note, why_not: whyNot, chosen, held }) {
    const attributes = {
      type: "button",
      "data-button": id,
      "data-held": held ? "" : null,
      "aria-pressed": chosen ? "true" : null,
      class: whyNot ? "not-now" : null,
    };
    const button = el(
      "button",
      attributes,
      key ? el("kbd", { "aria-hidden": "true" }, key) : null,
      el("span", { class: "text" }, text),
      whyNot || note ? el("small", {}, whyNot || note) : null,
    );
    button.addEventListener("click", () => this.send({ screen: this.#screen, button: id, held }));
    return el("li", {}, button);
  }
}

export function showRuling(place, ruling) {
  place.parentElement.hidden = !ruling;
  if (!ruling) return;
  const { headline, faces, total, need, changed, to_do: toDo, why, rules } = ruling;
  place.replaceChildren(
    el("p", { class: "headline" }, headline),
    faces.length || total || need ? throwOf(faces, total, need) : "",
    toDo.length ? el("ol", { class: "to-do", "aria-label": "To do now" }, ...toDo.map((each) => el("li", {}, each))) : "",
    changed ? el("p", { class: "changed" }, changed) : "",
    el("ul", { class: "why", "aria-label": "Why" }, ...why.map((each) => el("li", {}, each))),
    el("p", { class: "rules" }, ...rules.map((rule) => el("code", {}, rule))),
  );
}

function throwOf(faces, total, need) {
  const sum = /^\d+$/.test(total) && faces.length > 1 ? `= ${total}` : total;
  return el(
    "p",
    { class: "throw" },
    faces.length ? el("span", { class: "unseen" }, `Dice ${faces.join(" and ")}`) : null,
    ...faces.map((face) => dieFace(face)),
    sum ? el("span", {}, sum) : null,
    need ? el("span", { class: "need" }, need) : null,
  );
}
