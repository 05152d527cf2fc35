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
      const isSaved = input.value.trim() === player;
      if (isSaved) mark(input, false);
      if (isSaved || (input !== document.activeElement && !input.hasAttribute("aria-invalid"))) input.value = player;
      input.dataset.saved = player;
    }
  }

  /** The box has refused something: what was typed and is not its name for the seat stays, marked as not saved. */
  refused() {
    for (const input of this.#list.querySelectorAll("input[data-sent]")) {
      mark(input, input.value.trim() !== input.dataset.saved);
    }
  }

  #build({ key, name }) {
    const id = `player-${key}`;
    const input = el("input", { id, dir: "auto", maxlength: LONGEST, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-unsaved` });
    input.addEventListener("change", () => {
      input.dataset.sent = "";
      this.send({ key, name: input.value.trim() });
    });
    return el("li", {}, el("label", { for: id }, name), input, el("span", { id: `${id}-unsaved`, class: "unsaved" }));
  }
}

function mark(input, isUnsaved) {
  input.toggleAttribute("data-sent", false);
  if (isUnsaved) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
  input.nextElementSibling.textContent = isUnsaved ? "✕ not saved" : "";
}
