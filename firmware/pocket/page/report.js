// The report of a game that is over: the referee writes it on the spot, and the browser saves it.

import { el } from "./dom.js";
import { Link } from "./link.js";
import { save } from "./pocket.js";

export class Report {
  #place;
  #offered = false;

  constructor(place) {
    this.#place = place;
  }

  show(offered) {
    if (offered === this.#offered) return;
    this.#offered = offered;
    const button = el("button", { type: "button", class: "report" }, "Report of this game");
    button.addEventListener("click", async () => {
      const page = await Link.only.ask("report");
      save(`${new DOMParser().parseFromString(page, "text/html").title}.html`, "text/html", page);
    });
    this.#place.replaceChildren(...(offered ? [button] : []));
  }
}
