// What is asked or told now, with a button for all that can be pressed; and the last ruling with its reasons.

import { beginsWith, dieFace, el, reconcile } from "./dom.js";
import { chances } from "./table.js";

/** The card on the glass. Each question has buttons of its own: a press begun on one never answers the next. */
export class Now {
  #screen = 0;
  #asked = "";
  #text = el("p", { class: "asked" });
  #buttons = el("ul", { class: "buttons" });
  #because = el("div", { class: "because" });

  /** @param {(tap: {screen: number, button: string, held: boolean}) => void} send */
  constructor(place, send) {
    this.place = place;
    this.send = send;
    place.append(this.#text, this.#buttons, this.#because);
  }

  /** Where the card is a ruling its reasons stand under the buttons, where it is the odds they do. */
  show({ screen, card: { kind, title, text, whose, buttons }, ruling, odds, assumes }) {
    const focused = this.#buttons.contains(document.activeElement) ? document.activeElement.dataset.button : null;
    const head = title && text && !beginsWith(text, title) ? [el("span", { class: "who" }, title), " "] : [];
    const waits = whose ? [el("span", { class: "whose" }, `${whose}, press your button`)] : [];
    this.#text.replaceChildren(...head, text || title, ...waits);
    if (`${screen} ${text}` !== this.#asked) this.#turnTo(`${screen} ${text}`);
    this.#screen = screen;
    const short = buttons.filter((button) => button.text.length <= 2).length;
    this.#buttons.classList.toggle("few", short > buttons.length / 2);
    this.#buttons.classList.toggle("six", short === 6);
    reconcile(this.#buttons, buttons, ({ id }) => id, (button) => this.#build(button));
    const more = kind === "ruling" && ruling ? because(ruling) : kind === "odds" ? chances(odds, assumes) : [];
    this.#because.replaceChildren(...more);
    if (focused !== null) queueMicrotask(() => this.#keepFocus(focused));
  }

  #turnTo(asked) {
    const fresh = el("ul", { class: "buttons" });
    this.#buttons.replaceWith(fresh);
    this.#buttons = fresh;
    const because = el("div", { class: "because" });
    this.#because.replaceWith(because);
    this.#because = because;
    this.#asked = asked;
    this.place.scrollTop = 0;
  }

  /** Whoever answers by Tab stays among the answers, on the same one if it is there again. */
  #keepFocus(name) {
    if (this.#buttons.contains(document.activeElement)) return;
    const before = this.#buttons.querySelector(`[data-button="${CSS.escape(name)}"]`);
    (before ?? this.#buttons.querySelector("button"))?.focus({ preventScroll: true });
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
    return el("li", { class: text.length > 2 || whyNot || note ? "wide" : null }, button);
  }
}

export function showRuling(place, ruling) {
  if (!ruling) {
    place.replaceChildren(el("p", { class: "quiet" }, "No ruling yet."));
    return;
  }
  const { headline, faces, total, need, rules } = ruling;
  place.replaceChildren(
    el("p", { class: "headline" }, headline),
    faces.length || total || need ? throwOf(faces, total, need) : "",
    ...because(ruling),
    el("p", { class: "rules" }, ...rules.map((rule) => el("code", {}, rule))),
  );
}

/** What is to be done, what has changed, and why. */
function because({ changed, to_do: toDo, why }) {
  return [
    toDo.length ? el("ol", { class: "to-do", "aria-label": "To do now" }, ...toDo.map((each) => el("li", {}, each))) : "",
    changed ? el("p", { class: "changed" }, changed) : "",
    el("ul", { class: "why", "aria-label": "Why" }, ...why.map((each) => el("li", {}, each))),
  ];
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
