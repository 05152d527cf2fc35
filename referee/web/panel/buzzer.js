// The buzzer: on and off times in milliseconds, as a square wave. Browsers allow sound only after a gesture.

import { recall, remember } from "./choice.js";

const STORE = "referee.sound";
const PITCH = 2300;
const LOUD = 0.06;
/** Long enough to be free of clicks, short enough to keep a rhythm of 10 ms. */
const EDGE = 0.001;

export class Buzzer {
  #context = null;
  #gain = null;
  #wave = null;
  #swings = false;
  #wanted = recall(STORE) !== "off";
  /** Whether the gesture under way began while the sound still waited for one. */
  #woken = false;

  constructor(button) {
    this.button = button;
    button.addEventListener("click", () => this.#toggle());
    for (const gesture of ["pointerdown", "keydown"]) {
      addEventListener(
        gesture,
        () => {
          this.#woken = this.button.dataset.sound === "waiting";
          this.#wake();
        },
        { capture: true },
      );
    }
    // A browser may take a fifth of a second to make it: before the first press, not in the middle of it.
    const soon = window.requestIdleCallback ?? setTimeout;
    if (this.#wanted) soon(() => this.#build());
    this.#show();
  }

  /** Sound a pattern: on, off, on, ... A new one cuts off the one before. */
  sound(pattern) {
    if (!this.#wanted || this.#context?.state !== "running") return;
    const level = this.#gain.gain;
    let at = this.#context.currentTime + 0.005;
    level.cancelScheduledValues(0);
    level.setValueAtTime(0, at);
    pattern.forEach((milliseconds, index) => {
      const end = at + milliseconds / 1000;
      if (index % 2 === 0) {
        level.setTargetAtTime(LOUD, at, EDGE);
        level.setTargetAtTime(0, end, EDGE);
      }
      at = end;
    });
  }

  #toggle() {
    // This click has just enabled sound; it must not disable it again.
    if (this.#woken || this.button.dataset.sound === "waiting") {
      this.#woken = false;
      this.#wake();
      return;
    }
    this.#wanted = !this.#wanted;
    remember(STORE, this.#wanted ? "on" : "off");
    if (this.#wanted) this.#wake();
    else this.#gain?.gain.cancelScheduledValues(0).setValueAtTime(0, 0);
    this.#show();
  }

  #wake() {
    if (!this.#wanted || this.#context?.state === "running") return;
    this.#build();
    if (!this.#swings) this.#wave.start();
    this.#swings = true;
    // Refused without a gesture; the next one tries again.
    this.#context.resume().catch(() => {});
  }

  #build() {
    if (this.#context) return;
    this.#context = new AudioContext();
    this.#gain = this.#context.createGain();
    this.#gain.gain.value = 0;
    this.#wave = new OscillatorNode(this.#context, { type: "square", frequency: PITCH });
    this.#wave.connect(this.#gain).connect(this.#context.destination);
    this.#context.addEventListener("statechange", () => this.#show());
  }

  #show() {
    const runs = this.#context?.state === "running";
    const state = this.#wanted ? (runs ? "on" : "waiting") : "off";
    this.button.dataset.sound = state;
    this.button.setAttribute("aria-pressed", String(this.#wanted));
    this.button.textContent = { on: "Sound on", waiting: "Tap for sound", off: "Sound off" }[state];
  }
}
