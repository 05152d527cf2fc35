// What is held down. Mouse, touch, keyboard and assistive technology may all hold the same key;
// the box hears of the first press and of the last release.

const TAP = 80;
const GATHER = 25;

export class Keys {
  #holders = new Map();
  #steps = 0;
  #timer = 0;

  /**
   * @param {(message: object) => boolean} send false when the line is down
   * @param {(key: string, down: boolean) => void} show lets the page show a key as pressed
   * @param {(steps: number) => void} turned lets the page show the knob turning
   */
  constructor(send, show, turned) {
    this.send = send;
    this.show = show;
    this.turned = turned;
  }

  press(key, source) {
    const holders = this.#holders.get(key);
    if (holders) {
      holders.add(source);
      return;
    }
    // Turns made before the press must arrive before it.
    this.#flush();
    if (!this.send({ type: "down", key })) return;
    this.#holders.set(key, new Set([source]));
    this.show(key, true);
  }

  release(key, source) {
    const holders = this.#holders.get(key);
    if (!holders?.delete(source) || holders.size) return;
    this.#drop(key);
  }

  /** A press without a length of its own, as a screen reader gives it. */
  tap(key) {
    const source = Symbol("tap");
    this.press(key, source);
    setTimeout(() => this.release(key, source), TAP);
  }

  releaseAll() {
    for (const key of [...this.#holders.keys()]) this.#drop(key);
  }

  /** Detents; those that follow within a moment travel together. */
  turn(steps) {
    if (!steps) return;
    this.#steps += steps;
    this.turned(steps);
    if (this.#timer) return;
    this.#emit();
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#emit();
    }, GATHER);
  }

  #flush() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#emit();
  }

  #emit() {
    const steps = Math.max(-32, Math.min(32, this.#steps));
    this.#steps = 0;
    if (steps) this.send({ type: "turn", steps });
  }

  #drop(key) {
    this.#holders.delete(key);
    this.send({ type: "up", key });
    this.show(key, false);
  }
}

/** Let every element with `data-key` under `root` be pressed by pointer, keyboard or a plain click. */
export function makePressable(root, keys) {
  const keyOf = (event) => event.target.closest?.("[data-key]");
  root.addEventListener("pointerdown", (event) => {
    const button = keyOf(event);
    if (!button || event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    keys.press(button.dataset.key, `pointer ${event.pointerId}`);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    root.addEventListener(end, (event) => {
      const button = keyOf(event);
      if (button) keys.release(button.dataset.key, `pointer ${event.pointerId}`);
    });
  }
  // The mouse leaves the focus alone, so that Enter stays Select until Tab moves the focus.
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest("button, summary")) event.preventDefault();
  });
  root.addEventListener("contextmenu", (event) => {
    if (event.target.closest("button")) event.preventDefault();
  });
  // detail is 0 for a click no pointer made.
  root.addEventListener("click", (event) => {
    const button = keyOf(event);
    if (button && event.detail === 0) keys.tap(button.dataset.key);
  });
}
