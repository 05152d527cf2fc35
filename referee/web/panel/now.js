// What is asked or told now, with a button for all that can be pressed; and the last ruling with its reasons.

import { beginsWith, byId, dieFace, el, reconcile } from "./dom.js";
import { chances } from "./table.js";

/** The card on the glass. Each question has buttons of its own: a press begun on one never answers the next. */
export class Now {
  #screen = 0;
  #asked = "";
  #lit = "";
  #text = el("p", { class: "asked" });
  #buttons = el("ul", { class: "buttons" });
  #options = el("fieldset", {}, this.#buttons);
  #because = el("div", { class: "because" });

  /** @param {(tap: {screen: number, button: string, held: boolean}) => void} send */
  constructor(place, send) {
    this.place = place;
    this.send = send;
    place.prepend(this.#text, this.#options, this.#because);
  }

  /** Where the card is a ruling its reasons stand under the buttons, where it is the odds they do. */
  show({ screen, card: { kind, title, text, seat, whose, buttons, lit }, ruling, odds, assumes }) {
    const asked = `${screen} ${text}`;
    const focused = this.#buttons.contains(document.activeElement) ? document.activeElement.dataset.button : null;
    const heads = [seat, !text || beginsWith(seat, title) ? "" : title].filter((each) => !beginsWith(text, each));
    const head = heads.flatMap((each) => [el("span", { class: "who" }, each), " "]);
    const waits = whose ? [el("span", { class: "whose" }, `${whose}, press your button`)] : [];
    const lines = (text || title).split("\n").filter(Boolean);
    const says = heads.length > 1 || lines.length > 1 ? "says" : null;
    this.#text.replaceChildren(...head, ...lines.map((line) => el("span", { class: says }, line)), ...waits);
    const isAnother = asked !== this.#asked;
    if (isAnother) this.#turnTo(asked);
    this.#screen = screen;
    const short = buttons.filter((button) => button.text.length <= 2).length;
    this.#buttons.classList.toggle("few", short > buttons.length / 2);
    this.#buttons.classList.toggle("six", short === 6);
    this.#buttons.classList.toggle("long", buttons.some(isLong));
    reconcile(this.#buttons, buttons, ({ id }) => id, (button) => this.#build(button));
    this.#light(lit, isAnother);
    const more = kind === "ruling" && ruling ? because(ruling) : kind === "odds" ? chances(odds, assumes) : [];
    this.#because.replaceChildren(...more);
    if (focused !== null) queueMicrotask(() => this.#keepFocus(isAnother ? null : focused));
  }

  #turnTo(asked) {
    this.#buttons = el("ul", { class: "buttons" });
    const options = el("fieldset", { disabled: this.#options.disabled }, this.#buttons);
    this.#options.replaceWith(options);
    this.#options = options;
    const because = el("div", { class: "because" });
    this.#because.replaceWith(because);
    this.#because = because;
    this.#asked = asked;
    this.place.scrollTop = 0;
  }

  /** Mark what the encoder is at: a screen reader says so of the answer it comes to, and nothing at a detent. */
  #light(lit, isAnother) {
    for (const button of this.#buttons.querySelectorAll("button")) {
      if (button.dataset.button === lit) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    if (lit !== this.#lit && !isAnother) requestAnimationFrame(() => this.#follow());
    this.#lit = lit;
  }

  /** Whoever answers by Tab stays at the same answer, and at another question before all answers: Enter sends none. */
  #keepFocus(name) {
    if (this.#buttons.contains(document.activeElement)) return;
    const button = name === null ? null : this.#buttons.querySelector(`[data-button="${CSS.escape(name)}"]`);
    (button ?? byId("asked-head")).focus({ preventScroll: true });
    this.#bringIntoSight(button);
  }

  /** Have in sight what the encoder was turned to, unless somebody is at another answer by Tab. */
  #follow() {
    if (!this.#buttons.contains(document.activeElement)) this.#bringIntoSight(this.#buttons.querySelector("[aria-current]"));
  }

  #bringIntoSight(button) {
    if (!button) return;
    const { top, bottom } = button.getBoundingClientRect();
    const place = this.place.getBoundingClientRect();
    if (top < place.top || bottom > place.bottom) this.place.scrollTop += top - place.top - place.height / 2 + (bottom - top) / 2;
  }

  #build({ id, text, key, note, why_not: whyNot, chosen, held }) {
    const attributes = {
      type: "button",
      "data-button": id,
      "data-held": held ? "" : null,
      "aria-pressed": chosen ? "true" : null,
      class: whyNot ? "not-now" : null,
    };
    const [first, other] = key.split(" or ");
    const button = el(
      "button",
      attributes,
      key ? el("kbd", { "aria-hidden": "true", class: key === text || key.length > 1 ? "needless" : null }, first) : null,
      el("span", { class: "text" }, text),
      whyNot || note ? el("small", {}, whyNot || note) : null,
      other ? el("small", { "aria-hidden": "true" }, `or ${other}`) : null,
    );
    button.addEventListener("click", () => this.send({ screen: this.#screen, button: id, held }));
    return el("li", { class: text.length > 2 || whyNot || note ? "wide" : null }, button);
  }
}

/** Whether a word of it, beside its key, is too long for one of two columns on a phone. */
function isLong({ text, key }) {
  const longest = Math.max(...text.split(/[ -]/).map(({ length }) => length));
  return longest + (key.length > 1 ? 5 : 0) > 9;
}

export function showRuling(place, ruling) {
  if (!ruling) {
    place.replaceChildren(el("p", { class: "quiet" }, "No ruling yet."));
    return;
  }
  const { headline, faces, total, need, rules } = ruling;
  place.replaceChildren(
    el("p", { class: "headline" }, headline),
    faces.length || total || need ? throwOf(ruling) : "",
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
