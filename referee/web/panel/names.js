// Who plays which seat: typed here, kept beside the journal by the box.

import { el, reconcile } from "./dom.js";

/** Of the 24 letters that the box allows, each may be several characters: what is too long is refused in words. */
const LONGEST = 96;

export class Names {
  #list = el("ul", { class: "players" });
  #folded = el("details", { class: "help" }, el("summary", {}, "Names of players"), this.#list);

  /** @param {(name: {key: string, name: string}) => void} send */
  constructor(place, send) {
    this.place = place;
    this.send = send;
  }

  show(seats) {
    const named = seats.filter(({ name }) => name);
    if (!named.length) this.#folded.remove();
    else if (!this.#folded.isConnected) this.place.append(this.#folded);
    reconcile(this.#list, named.map(({ key, name }) => ({ key, name })), ({ key }) => key, (seat) => this.#build(seat));
    for (const { key, player } of named) {
      const input = this.#list.querySelector(`#player-${key}`);
      if (input !== document.activeElement) input.value = player;
    }
  }

  #build({ key, name }) {
    const id = `player-${key}`;
    const input = el("input", { id, dir: "auto", maxlength: LONGEST, autocomplete: "off", spellcheck: "false" });
    input.addEventListener("change", () => this.send({ key, name: input.value.trim() }));
    return el("li", {}, el("label", { for: id }, name), input);
  }
}
