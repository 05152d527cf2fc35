// What a screen reader announces: what is asked or ruled, in sentences for the ear, once for each screen.

import { el } from "./dom.js";

export class Announcer {
  #announced = "";

  /** @param {HTMLElement} place a live region */
  constructor(place) {
    this.place = place;
  }

  /** Announce the words of a screen; a detent changes the glass alone. */
  announce({ screen, aloud }) {
    const news = `${screen} ${aloud}`;
    if (news === this.#announced) return;
    this.#announced = news;
    this.place.replaceChildren(...(aloud ? [el("span", {}, aloud)] : []));
  }
}
