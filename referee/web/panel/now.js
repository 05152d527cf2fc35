// What is asked or told now, with a button for all that can be pressed; and the last ruling with its reasons.

import { dieFace, el } from "./dom.js";

const quiet = (text) => el("p", { class: "quiet" }, text);

/**
 * @param {{title: string, text: string, buttons: object[]}} card
 * @param {(button: {id: string, held: boolean}) => void} tap
 */
export function showNow(place, card, tap) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.button : undefined;
  const buttons = card.buttons.map((button) => build(button, tap));
  const head = card.title ? el("span", { class: "who" }, card.title) : null;
  const few = card.buttons.every(({ text }) => text.length <= 2);
  place.replaceChildren(
    el("p", { class: "asked" }, head, card.text),
    buttons.length ? el("ul", { class: few ? "buttons few" : "buttons" }, ...buttons) : quiet("Use the keys of the box."),
  );
  // Whoever plays from the keyboard stays among the buttons.
  if (focused !== undefined) {
    const same = buttons.map((node) => node.firstElementChild).find((node) => node.dataset.button === focused);
    (same ?? buttons[0]?.firstElementChild ?? place).focus({ preventScroll: true });
  }
}

function build({ id, text, key, why_not: whyNot, chosen, held }, tap) {
  const button = el(
    "button",
    {
      type: "button",
      "data-button": id,
      "data-held": held ? "" : null,
      "aria-pressed": chosen ? "true" : null,
      class: whyNot ? "not-now" : null,
    },
    key ? el("kbd", { "aria-hidden": "true" }, key) : null,
    el("span", { class: "text" }, text),
    whyNot ? el("small", {}, whyNot) : null,
  );
  button.addEventListener("click", () => tap({ id, held }));
  return el("li", {}, button);
}

export function showRuling(place, section, ruling) {
  section.hidden = !ruling;
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
