// The encoder: dragged round its ring, turned by the wheel, or stepped with the two arrows under it.

const DEGREES = 15;
const NOTCH = 40;

export class Knob {
  #angle = 0;
  #wheel = 0;
  #grip = null;

  constructor({ ring, mark, steppers }, keys) {
    this.ring = ring;
    this.mark = mark;
    this.keys = keys;
    ring.addEventListener("pointerdown", (event) => this.#take(event));
    ring.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      ring.addEventListener(end, () => (this.#grip = null));
    }
    ring.addEventListener("wheel", (event) => this.#roll(event), { passive: false });
    for (const stepper of steppers) {
      stepper.addEventListener("click", () => keys.turn(Number(stepper.dataset.turn)));
    }
  }

  /** Turn the picture of the knob. */
  show(steps) {
    this.#angle += steps * DEGREES;
    this.mark.style.transform = `rotate(${this.#angle}deg)`;
  }

  #take(event) {
    // The cap in the middle is Select.
    if (event.button !== 0 || event.target.closest("[data-key]")) return;
    this.ring.setPointerCapture(event.pointerId);
    this.#grip = { pointer: event.pointerId, at: this.#bearing(event), left: 0 };
  }

  #drag(event) {
    const grip = this.#grip;
    if (!grip || grip.pointer !== event.pointerId) return;
    const now = this.#bearing(event);
    // The short way round: from 179 to -179 degrees is two, not 358.
    grip.left += ((now - grip.at + 540) % 360) - 180;
    grip.at = now;
    const steps = Math.trunc(grip.left / DEGREES);
    grip.left -= steps * DEGREES;
    this.keys.turn(steps);
  }

  #roll(event) {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH;
    const delta = (Math.abs(event.deltaY) >= Math.abs(event.deltaX) ? event.deltaY : event.deltaX) * unit;
    if (Math.sign(delta) !== Math.sign(this.#wheel)) this.#wheel = 0;
    // A mouse wheel gives 100 or 120 at once and means one detent; a touchpad gives many small ones.
    if (Math.abs(delta) >= NOTCH) {
      this.#wheel = 0;
      this.keys.turn(Math.sign(delta));
      return;
    }
    this.#wheel += delta;
    if (Math.abs(this.#wheel) < NOTCH) return;
    this.keys.turn(Math.sign(this.#wheel));
    this.#wheel = 0;
  }

  #bearing(event) {
    const { left, top, width, height } = this.ring.getBoundingClientRect();
    return (Math.atan2(event.clientY - top - height / 2, event.clientX - left - width / 2) * 180) / Math.PI;
  }
}
