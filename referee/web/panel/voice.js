// The voice: the browser's own speech reads aloud what is ruled and asked. The glass waits while it speaks.

import { recall, remember } from "./choice.js";

const STORE = "referee.voice";

export class Voice {
  #wanted = recall(STORE) === "on";
  #said = "";
  #speaking = null;

  /** @param {(speaks: boolean) => void} tell says that the voice has begun, or is silent again */
  constructor(button, tell) {
    this.button = button;
    this.tell = tell;
    button.hidden = !("speechSynthesis" in window);
    button.addEventListener("click", () => this.#toggle());
    addEventListener("pagehide", () => this.#hush());
    this.#show();
  }

  /** Say the words of a screen, once; a new screen cuts off what is said of the one before. */
  read({ screen, aloud }) {
    const said = `${screen} ${aloud}`;
    if (said === this.#said) return;
    this.#said = said;
    if (!this.#wanted || this.button.hidden) return;
    this.#hush();
    if (aloud) this.#say(aloud);
  }

  #say(words) {
    const speech = new SpeechSynthesisUtterance(words);
    speech.lang = document.documentElement.lang;
    this.#speaking = speech;
    speech.addEventListener("start", () => speech === this.#speaking && this.tell(true));
    for (const end of ["end", "error"]) {
      speech.addEventListener(end, () => {
        if (speech !== this.#speaking) return;
        this.#speaking = null;
        this.tell(false);
      });
    }
    speechSynthesis.speak(speech);
  }

  #hush() {
    if (!this.#speaking) return;
    this.#speaking = null;
    speechSynthesis.cancel();
    this.tell(false);
  }

  #toggle() {
    this.#wanted = !this.#wanted;
    remember(STORE, this.#wanted ? "on" : "off");
    if (this.#wanted) this.#say("Voice on.");
    else this.#hush();
    this.#show();
  }

  #show() {
    this.button.setAttribute("aria-pressed", String(this.#wanted));
    this.button.textContent = this.#wanted ? "Voice on" : "Voice off";
  }
}
