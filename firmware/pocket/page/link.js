// In place of the connection to a box: a worker that holds the referee. The same messages go both ways.

/** The name of the wheel that is open, "" for the referee's own games. */
export const wheel = localStorage.getItem("wheel") ?? "";

const ASK_EVERY = 3000;
const SILENCE = 10000;

export class Link {
  #worker;
  #asked = new Map();
  #number = 0;
  isOpen = false;

  /** @param {{message: (m: object) => void, state: (s: "open" | "lost" | "out") => void}} listener */
  constructor(url, listener) {
    this.listener = listener;
    Link.only = this;
    if (url.endsWith("/watch")) {
      this.#watch();
      return;
    }
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module", name: wheel });
    this.#worker.addEventListener("message", ({ data }) => this.#take(data));
    this.#worker.addEventListener("error", ({ message }) => this.#fail(message || "It could not be loaded."));
  }

  send(message) {
    if (!this.isOpen) return false;
    this.#worker.postMessage({ hear: JSON.stringify(message) });
    return true;
  }

  /** Have the referee do something with the game on the table; what it returns, or the error it raises. */
  ask(what, ...how) {
    this.#number += 1;
    const number = this.#number;
    this.#worker.postMessage({ ask: what, how, number });
    return new Promise((good, bad) => this.#asked.set(number, { good, bad }));
  }

  /** A big screen: it hears what the worker of another window tells, until nothing answers any more. */
  #watch() {
    const screens = new BroadcastChannel("referee-screens");
    let heard = 0;
    screens.addEventListener("message", ({ data }) => {
      heard = performance.now();
      if (data.messages) this.#take(data);
    });
    const ask = () => {
      if (this.isOpen && performance.now() - heard > SILENCE) {
        this.isOpen = false;
        this.listener.state("lost");
      }
      screens.postMessage(this.isOpen ? "are you there?" : "what is there?");
    };
    setInterval(ask, ASK_EVERY);
    ask();
  }

  #take(data) {
    if ("messages" in data) {
      if (!this.isOpen) {
        this.isOpen = true;
        this.#say("");
        this.listener.state("open");
      }
      for (const message of JSON.parse(data.messages)) this.listener.message(message);
    } else if ("number" in data) {
      const { good, bad } = this.#asked.get(data.number);
      this.#asked.delete(data.number);
      if ("failed" in data) bad(new Error(data.failed));
      else good(data.result);
    } else if ("failed" in data) this.#fail(data.failed);
    else this.#say(data.says);
  }

  #fail(text) {
    this.isOpen = false;
    this.listener.state("lost");
    this.#say(text);
  }

  #say(text) {
    dispatchEvent(new CustomEvent("pocket", { detail: text }));
  }
}
