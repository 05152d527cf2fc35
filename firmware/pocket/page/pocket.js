// What the pocket has beside the panel: games as files, a place on the home screen, and newer versions.

import { byId, el } from "./dom.js";
import { Link } from "./link.js";

/** Let the browser save a text as a file. */
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const say = (text) => {
  byId("pocket-says").textContent = text;
  byId("pocket-says").hidden = !text;
};
addEventListener("pocket", ({ detail }) => say(detail));

/** Do something with the game on the table, and say what went wrong. */
const attempt = (what) => async (event) => {
  try {
    await what(event);
    say("");
  } catch (error) {
    say(error.message);
  }
};

const pick = el("input", { type: "file", accept: ".jsonl,application/jsonl", class: "unseen", "aria-label": "A saved game", tabindex: "-1" });
const button = (text, does) => {
  const made = el("button", { type: "button", class: "switch" }, text);
  made.addEventListener("click", attempt(does));
  return made;
};
pick.addEventListener(
  "change",
  attempt(async () => {
    const [file] = pick.files;
    if (file) await Link.only.ask("take", await file.text());
    pick.value = "";
  }),
);
byId("drawer").append(
  el(
    "p",
    { class: "switches" },
    button("Save this game as a file", async () => save("game.jsonl", "application/jsonl", await Link.only.ask("export"))),
    button("Open a saved game", () => pick.click()),
    pick,
  ),
  el("p", { class: "quiet" }, "Games stay in this browser. Save those that must outlive it: a browser may forget a page that was not used for weeks."),
);

navigator.storage?.persist?.();

/** Keep the site for the days without a network, and offer a newer one: never in the middle of a press. */
async function install() {
  const renewing = Boolean(navigator.serviceWorker.controller);
  const registration = await navigator.serviceWorker.register("sw.js");
  const offer = () => {
    if (!registration.waiting || !renewing) return;
    const renew = button("Use the new version", () => registration.waiting.postMessage("take over"));
    byId("drawer").prepend(el("p", {}, "A new version of the referee is here; the game goes on with it. ", renew));
  };
  navigator.serviceWorker.addEventListener("controllerchange", () => renewing && location.reload());
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  offer();
}

if ("serviceWorker" in navigator) install();
