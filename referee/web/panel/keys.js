// Presses as gestures: a click, or a hold that begins and ends. Mouse, touch, keyboard and assistive technology may all
// hold the same key; the first press and the last release count. The page decides which gesture a press is, so delays
// on the way to the box cannot change it.

const CLICK = 300;
const TAP = 80;
const GATHER = 25;

/** Keys that can be held, and so are alone while they are down. */
const HELD = new Set(["select", "back"]);

export class Keys {
  #down = new Map();
  #steps = 0;
  #timer = 0;

  /**
   * @param {{isOpen: boolean, send: (message: object) => void}} line
   * @param {(key: string, down: boolean) => void} show lets the page show a key as pressed
   * @param {(steps: number) => void} turned lets the page show the knob turning
   */
  constructor(line, show, turned) {
    this.line = line;
    this.show = show;
    this.turned = turned;
  }

  /** `at`: when it went down, by the clock of events; a busy page may hear of it later. */
  press(key, source, at = performance.now()) {
    const down = this.#down.get(key);
    if (down) {
      down.holders.add(source);
      return;
    }
    if (!this.line.isOpen || this.#chord(key)) return;
    // Turns made before the press must arrive before it.
    this.#flush();
    const press = { holders: new Set([source]), at, timer: 0, isHold: false };
    this.#down.set(key, press);
    this.show(key, true);
    if (HELD.has(key)) press.timer = setTimeout(() => this.#hold(key, press), at + CLICK - performance.now());
    else this.#click(key, press);
  }

  release(key, source, at = performance.now()) {
    const down = this.#down.get(key);
    if (!down?.holders.delete(source) || down.holders.size) return;
    this.#drop(key, down, at);
  }

  /** A press without a length of its own, as a screen reader gives it. */
  tap(key) {
    const source = Symbol("tap");
    this.press(key, source);
    setTimeout(() => this.release(key, source), TAP);
  }

  releaseAll() {
    for (const [key, down] of [...this.#down]) this.#drop(key, down);
  }

  /** Detents; those that follow within a moment travel together. */
  turn(steps) {
    if (!steps) return;
    this.turned(steps);
    // Turns while the knob is pressed do not count.
    if (this.#down.has("select")) return;
    this.#steps += steps;
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
    if (steps) this.line.send({ type: "turn", steps });
  }

  /** The first key down wins; two die keys, though, are two dice. */
  #chord(key) {
    return [...this.#down.keys()].some((other) => HELD.has(key) || HELD.has(other));
  }

  #click(key, { at }, now = performance.now()) {
    const ms = Math.max(0, Math.floor(now - at));
    // A longer press is neither a click nor a hold.
    if (ms < CLICK) this.line.send({ type: "click", key, ms });
  }

  #hold(key, press) {
    press.isHold = true;
    this.line.send({ type: "hold", key });
  }

  #drop(key, down, at = performance.now()) {
    this.#down.delete(key);
    this.show(key, false);
    clearTimeout(down.timer);
    if (down.isHold) this.line.send({ type: "release", key });
    else if (HELD.has(key)) this.#click(key, down, at);
  }
}

/** Let every element with `data-key` under `root` be pressed by pointer, keyboard or a plain click. */
export function makePressable(root, keys) {
  const keyOf = (event) => event.target.closest?.("[data-key]");
  const held = new Map();
  root.addEventListener("pointerdown", (event) => {
    const button = keyOf(event);
    if (!button || event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    held.set(event.pointerId, button.dataset.key);
    keys.press(button.dataset.key, `pointer ${event.pointerId}`, event.timeStamp);
  });
  // A button that has lost its pointer, as one of a seat does in Chromium, is let go all the same.
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    addEventListener(end, (event) => {
      const key = held.get(event.pointerId);
      held.delete(event.pointerId);
      if (key) keys.release(key, `pointer ${event.pointerId}`, event.timeStamp);
    });
  }
  // The mouse leaves the focus alone, so that Enter stays Select until Tab moves the focus.
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest("button, summary")) event.preventDefault();
  });
  root.addEventListener("contextmenu", (event) => {
    if (event.target.closest("button")) event.preventDefault();
  });
  // detail is 0 for a click without a pointer.
  root.addEventListener("click", (event) => {
    const button = keyOf(event);
    if (button && event.detail === 0) keys.tap(button.dataset.key);
  });
}
