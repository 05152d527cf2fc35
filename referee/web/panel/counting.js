// Numbers that count from what they were to what they are, once for each change; still for those who asked for stillness.

import { el } from "./dom.js";

const COUNT = 900;

export class Counting {
  #change = null;
  #since = 0;
  #awaited = false;

  /** @param {HTMLElement} place where the numbers stand */
  constructor(place) {
    this.place = place;
  }

  /** Return a number on its way; `change`: what it belongs to, the same object for all numbers that count together. */
  number(change, from, to) {
    if (change !== this.#change) {
      this.#change = change;
      this.#since = performance.now();
    }
    if (!this.#awaited) requestAnimationFrame(() => this.#count());
    this.#awaited = true;
    // As wide on the way as in the end, so that nothing beside it moves.
    const number = el("span", { class: "counts", "data-from": from, "data-to": to }, this.#at(from, to));
    number.style.minWidth = `${Math.max(String(from).length, String(to).length)}ch`;
    return number;
  }

  #count() {
    const numbers = [...this.place.querySelectorAll("[data-to]")];
    for (const number of numbers) {
      const text = this.#at(Number(number.dataset.from), Number(number.dataset.to));
      if (number.textContent !== text) number.textContent = text;
    }
    this.#awaited = numbers.length > 0 && this.#share() < 1;
    if (this.#awaited) requestAnimationFrame(() => this.#count());
  }

  #at(from, to) {
    return String(Math.round(from + (to - from) * this.#share()));
  }

  #share() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return 1;
    return Math.min(1, (performance.now() - this.#since) / COUNT);
  }
}
