// The report of a game that is over: the box begins to write it when somebody asks, and then it can be downloaded.

import { el } from "./dom.js";

const PAGE = "report.html";
const EVERY = 1000;
const SAYS = { 202: "Writing the report…", 404: "No game has ended yet.", 503: "The report could not be written; the log of the box says why." };

export class Report {
  #place;
  #says = null;
  #anonymous = el("input", { type: "checkbox" });

  constructor(place) {
    this.#place = place;
  }

  show(offered) {
    if (offered === (this.#says !== null)) return;
    this.#says = offered ? el("p", { class: "quiet", role: "status" }) : null;
    const button = () => el("button", { type: "button", class: "report" }, "Report of this game");
    const without = () => el("label", { class: "check" }, this.#anonymous, "Without names");
    this.#place.replaceChildren(...(offered ? [button(), without(), this.#says] : []));
    this.#place.querySelector("button")?.addEventListener("click", () => this.#ask());
  }

  async #ask() {
    const says = this.#says;
    if (!says) return; // the table has left the game meanwhile
    const page = PAGE + (this.#anonymous.checked ? "?anonymous" : "");
    const answer = await fetch(page, { method: "HEAD" }).catch(() => null);
    if (says !== this.#says) return; // the game goes on
    says.textContent = answer?.status === 200 ? "" : SAYS[answer?.status] ?? "The box does not answer.";
    if (answer?.status === 202) setTimeout(() => this.#ask(), EVERY);
    else if (answer?.ok) el("a", { href: page, download: "" }).click();
  }
}
