// The stage: who is asked what, the odds, and a button for all that can be pressed.

import { because } from "./band.js";
import { beginsWith, byId, dieFace, el, reconcile } from "./dom.js";
import { chances, outlook, percent } from "./table.js";

/** Letters of a number that can be answered: "-10", "+5". */
const NUMBER = /^[-+−]?\d{1,2}$/;
/** Letters above which a question is set smaller, so that it keeps to its place. */
const LONG = 30;

/** Keys of an answer that is three pages away: nobody counts so far. */
const FAR = /^6 6 6/;

/** Answers beside which the odds have one bar, and not a line each. */
const MANY = 6;

/** The card on the glass. Each question has buttons of its own: a press begun on one never answers the next. */
export class Now {
  #screen = 0;
  #asked = "";
  #lit = "";
  #text = el("p", { class: "asked" });
  #odds = el("div", { id: "odds" });
  #buttons = el("ul", { class: "buttons" });
  #apart = el("ul", { class: "buttons apart" });
  #options = el("fieldset", { class: "options" }, this.#buttons, this.#apart);
  #because = el("div", { class: "because" });

  /** @param {(tap: {screen: number, button: string, held: boolean}) => void} send */
  constructor(place, send) {
    this.place = place;
    this.send = send;
    place.prepend(this.#text, this.#odds, this.#because, this.#options);
  }

  /** Where the card is a ruling its reasons stand over the buttons. */
  show(table) {
    const { screen, card, ruling, over } = table;
    const { kind, title, text, buttons, lit } = card;
    const asked = `${screen} ${text}`;
    const focused = this.#options.contains(document.activeElement) ? document.activeElement.dataset.button : null;
    this.#ask(card, table);
    const isAnother = asked !== this.#asked;
    if (isAnother) this.#turnTo(asked);
    this.#screen = screen;
    this.place.dataset.kind = kind;
    this.place.classList.toggle("finale", kind === "idle" && Boolean(over));
    const shares = sharesOf(table);
    const [places, apart] = parted(buttons);
    const faces = kind === "dice" && places.length === 6;
    this.#buttons.className = ["buttons", faces ? "faces" : sizes(places, apart.length > 0 || places.every(isNumber))].join(" ");
    const build = (button) => this.#build(button);
    reconcile(this.#buttons, places.map((each) => ({ ...each, share: shares.get(each.id), faces })), ({ id }) => id, build);
    this.#apart.hidden = !apart.length && !faces;
    reconcile(this.#apart, apart, ({ id }) => id, build);
    this.#light(lit, isAnother);
    this.#odds.replaceChildren(...(shares.size || kind === "ruling" ? [] : oddsOf(table)));
    this.#because.replaceChildren(...(kind === "ruling" && ruling ? because(ruling) : kind === "idle" && over && !beginsWith(over, `${title} ${text}`) ? [el("p", { class: "how" }, over)] : []));
    if (focused !== null) queueMicrotask(() => this.#keepFocus(isAnother ? null : focused));
  }

  #ask({ kind, title, text, seat, whose }, { over, ruling, turn }) {
    const who = seat || whose || (kind === "ruling" ? "" : turn);
    const about = !text || beginsWith(who, title) || beginsWith(text, title) ? "" : title;
    let lines = (text || title).split("\n").filter(Boolean);
    if (kind === "ruling" && ruling) lines = []; // the band says it
    else if (kind === "idle" && over) lines = [`${title} ${text}`];
    else if (who && lines[0].startsWith(`${who}. `)) lines[0] = lines[0].slice(who.length + 2);
    const lamp = who ? [el("span", { class: "lamp lit", "aria-hidden": "true" })] : [];
    const heads = kind === "idle" && over ? [] : [who, about].filter(Boolean);
    const dots = heads.flatMap((each, at) => [at ? " · " : "", el("span", { class: at || !who ? "about" : "who" }, each)]);
    const length = lines.join(" ").length;
    this.#text.classList.toggle("long", length > LONG);
    this.#text.classList.toggle("longer", length > 2.4 * LONG);
    this.#text.replaceChildren(
      el("span", { class: "heads" }, ...(heads.length ? lamp : []), ...dots),
      ...lines.map((line) => el("span", { class: "says" }, line)),
      ...(whose ? [el("span", { class: "whose" }, `${whose}, press your button`)] : []),
    );
  }

  #turnTo(asked) {
    this.#buttons = el("ul", { class: "buttons" });
    this.#apart = el("ul", { class: "buttons apart" });
    const options = el("fieldset", { class: "options", disabled: this.#options.disabled }, this.#buttons, this.#apart);
    this.#options.replaceWith(options);
    this.#options = options;
    const odds = el("div", { id: "odds" });
    this.#odds.replaceWith(odds);
    this.#odds = odds;
    const because = el("div", { class: "because" });
    this.#because.replaceWith(because);
    this.#because = because;
    this.#asked = asked;
    this.place.scrollTop = 0;
  }

  /** Mark what the encoder is at: a screen reader says so of the answer it comes to, and nothing at a detent. */
  #light(lit, isAnother) {
    for (const button of this.#options.querySelectorAll("button")) {
      if (button.dataset.button === lit) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    if (lit !== this.#lit && !isAnother) requestAnimationFrame(() => this.#follow());
    this.#lit = lit;
  }

  /** Whoever answers by Tab stays at the same answer, and at another question before all answers: Enter sends none. */
  #keepFocus(name) {
    if (this.#options.contains(document.activeElement)) return;
    const button = name === null ? null : this.#options.querySelector(`[data-button="${CSS.escape(name)}"]`);
    (button ?? byId("asked-head")).focus({ preventScroll: true });
    this.#bringIntoSight(button);
  }

  /** Have in sight what the encoder was turned to, unless somebody is at another answer by Tab. */
  #follow() {
    if (!this.#options.contains(document.activeElement)) this.#bringIntoSight(this.#options.querySelector("[aria-current]"));
  }

  #bringIntoSight(button) {
    if (!button) return;
    const { top, bottom } = button.getBoundingClientRect();
    const place = this.place.getBoundingClientRect();
    if (top < place.top || bottom > place.bottom) this.place.scrollTop += top - place.top - place.height / 2 + (bottom - top) / 2;
  }

  #build({ id, text, key, note, why_not: whyNot, chosen, held, share, faces }) {
    const attributes = {
      type: "button",
      "data-button": id,
      "data-held": held ? "" : null,
      "aria-pressed": chosen ? "true" : null,
      class: whyNot ? "not-now" : null,
    };
    const [first, other] = key.split(" or ");
    const small = whyNot || note || (other ? `or ${other}` : "");
    const button = el(
      "button",
      attributes,
      faces ? dieFace(Number(text)) : null,
      el("span", { class: faces ? "text unseen" : "text" }, text.replace(/^-(?=\d)/, "−")),
      key && !FAR.test(first) ? el("kbd", { "aria-hidden": "true", class: key === text ? "needless" : null }, first) : null,
      small ? el("small", { "aria-hidden": whyNot || note ? null : "true" }, small) : null,
      share ? shareOf(share) : null,
    );
    button.addEventListener("click", () => this.send({ screen: this.#screen, button: id, held }));
    return el("li", {}, button);
  }
}

const isNumber = ({ text }) => NUMBER.test(text);

/** Numbers in order, and apart from them what else can be done; where few are numbers all is left as the box has it. */
function parted(buttons) {
  const numbers = buttons.filter(isNumber);
  if (numbers.length <= buttons.length / 2) return [buttons, []];
  const value = ({ text }) => Number(text.replace("−", "-"));
  return [numbers.sort((one, other) => value(one) - value(other)), buttons.filter((each) => !isNumber(each))];
}

/** Classes for how many places there are, and how much stands in them. */
function sizes(buttons, numbers) {
  const n = buttons.length;
  const many = n <= 2 ? "two" : n <= 4 ? "four" : n <= 6 ? "six" : n <= 12 ? "dozen" : "many";
  const wordy = buttons.some(({ text, why_not: whyNot, note }) => text.length + (whyNot || note).length > 44);
  const longest = Math.max(0, ...buttons.map(({ text }) => text.length));
  return [many, numbers ? "numbers" : "words", wordy ? "wordy" : "", longest > 20 ? "lengthy" : "", longest > 44 ? "sentences" : ""].filter(Boolean).join(" ");
}

/** Chances of what is asked by the id of its answer, where each answer is one of the outcomes. */
function sharesOf({ card, odds }) {
  const ids = new Set(card.buttons.map(({ id }) => id));
  return new Map(odds.length && odds.every(({ id }) => ids.has(id)) ? odds.map((each) => [each.id, each]) : []);
}

/** Dice that are keyed in and those to come; then the odds. */
function oddsOf({ card, odds, odds_of: of, assumes }) {
  const slots = card.dice?.length ? [el("p", { class: "slots" }, ...card.dice.map((face) => slot(face, card.sides)))] : [];
  if (!odds.length) return slots;
  if (card.kind === "odds") return chances(odds, assumes);
  return [...slots, ...(of === "outcome" || (card.kind !== "dice" && card.buttons.length > MANY) ? [outlook(odds)] : chances(odds, ""))];
}

function slot(face, sides) {
  return face ? el("span", {}, el("span", { class: "unseen" }, `Die ${face}. `), dieFace(face, sides)) : el("span", { class: "wanted", "aria-hidden": "true" }, "?");
}

function shareOf({ chance, share }) {
  const bar = el("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", `${100 * share}%`);
  return el("span", { class: "share" }, bar, el("b", {}, percent(share)), chance ? ` ${chance}` : null);
}
