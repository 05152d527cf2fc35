// The display: one pixel of the box is a whole number of pixels of this screen, with the faint grid of an OLED.

const LIT = "#eaf4ff";
const GRID_FROM = 3;
const GRID_DEPTH = 0.3;

export class Glass {
  #frame = null;
  #scheduled = false;
  #pixels = document.createElement("canvas");

  constructor(canvas, room) {
    this.canvas = canvas;
    this.room = room;
    this.#fit(canvas.width, canvas.height); // the keys below it do not move when the first frame comes
    new ResizeObserver(() => this.#schedule()).observe(room);
    addEventListener("resize", () => this.#schedule());
    this.#follow();
  }

  /** The ratio of the screen can change without a resize: on another screen, or a moment after one. */
  #follow() {
    const same = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
    const changed = () => {
      this.#schedule();
      this.#follow();
    };
    same.addEventListener("change", changed, { once: true });
  }

  /** Show a frame at the next repaint; of several that come before it only the newest is drawn. */
  show(frame) {
    const stride = Math.ceil(frame.width / 8);
    const bytes = Uint8Array.from(atob(frame.bits), (letter) => letter.charCodeAt(0));
    if (bytes.length !== stride * frame.height) return;
    this.#frame = { ...frame, bytes, stride };
    this.#schedule();
  }

  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      if (this.#frame) this.#draw(this.#frame);
    });
  }

  #draw(frame) {
    const scale = this.#fit(frame.width, frame.height);
    const context = this.canvas.getContext("2d");
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.canvas.dataset.on = frame.on;
    if (!frame.on) return;
    this.#unpack(frame);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#pixels, 0, 0, this.canvas.width, this.canvas.height);
    if (scale >= GRID_FROM) this.#grid(context, scale);
  }

  /** Size the canvas to whole screen pixels; returns how many make one pixel of the box. */
  #fit(width, height) {
    const ratio = window.devicePixelRatio || 1;
    const style = getComputedStyle(this.room);
    const space = this.room.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const scale = Math.max(1, Math.floor((space * ratio + 1) / width)); // widths are told in whole pixels
    if (this.canvas.width !== width * scale || this.canvas.height !== height * scale) {
      this.canvas.width = width * scale;
      this.canvas.height = height * scale;
    }
    this.canvas.style.width = `${(width * scale) / ratio}px`;
    this.canvas.style.height = `${(height * scale) / ratio}px`;
    return scale;
  }

  #unpack({ width, height, bytes, stride }) {
    this.#pixels.width = width;
    this.#pixels.height = height;
    const context = this.#pixels.getContext("2d");
    const image = context.createImageData(width, height);
    const words = new Uint32Array(image.data.buffer);
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(LIT.slice(at, at + 2), 16));
    // RGBA as bytes read as one little-endian word.
    const lit = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (bytes[y * stride + (x >> 3)] & (0x80 >> (x & 7))) words[y * width + x] = lit;
      }
    }
    context.putImageData(image, 0, 0);
  }

  #grid(context, scale) {
    context.save();
    context.globalCompositeOperation = "destination-out";
    context.globalAlpha = GRID_DEPTH;
    for (let x = scale - 1; x < this.canvas.width; x += scale) context.fillRect(x, 0, 1, this.canvas.height);
    for (let y = scale - 1; y < this.canvas.height; y += scale) context.fillRect(0, y, this.canvas.width, 1);
    context.restore();
  }
}
