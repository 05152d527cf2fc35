// The connection to the box: reopened whenever it is lost; silence is noticed.

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;
const PING_EVERY = 10000;
const ANSWER_WITHIN = 4000;
const NOT_LET_IN = 4401;

export class Link {
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = 0;
  #ping = 0;
  #deadline = 0;

  /** @param {{message: (m: object) => void, state: (s: "open" | "lost" | "out") => void}} listener */
  constructor(url, listener) {
    this.url = url;
    this.listener = listener;
    addEventListener("online", () => this.#hurry());
    addEventListener("offline", () => this.#ask());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      this.#hurry();
      this.#ask();
    });
    this.#open();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Send now or not at all: a press kept for later would answer another question. */
  send(message) {
    if (!this.isOpen) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #open() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.#ping = setInterval(() => this.#ask(), PING_EVERY);
      this.listener.state("open");
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      clearTimeout(this.#deadline);
      this.#deadline = 0;
      for (const message of JSON.parse(event.data)) this.listener.message(message);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket !== this.#socket) return;
      if (code === NOT_LET_IN) this.listener.state("out");
      else this.#lost();
    });
  }

  /** A dead network closes nothing by itself; only a missing answer shows it. */
  #ask() {
    if (document.hidden || this.#deadline || !this.send({ type: "ping" })) return;
    this.#deadline = setTimeout(() => this.#lost(), ANSWER_WITHIN);
  }

  #lost() {
    clearInterval(this.#ping);
    clearTimeout(this.#deadline);
    this.#deadline = 0;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.listener.state("lost");
    if (this.#timer) return;
    // Random, so that not all browsers reconnect at the same moment.
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 1.6, LONGEST_WAIT);
  }

  #hurry() {
    if (!this.#timer) return;
    this.#wait = FIRST_WAIT;
    this.#open();
  }
}
