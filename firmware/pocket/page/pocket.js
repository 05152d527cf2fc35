// What the pocket has beside the panel: games as files, a place on the home screen, and newer versions.

import { byId, el } from "./dom.js";
import { handOver, opened } from "./handover.js";
import { Link, wheel } from "./link.js";

const LARGEST = 5_000_000;

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
const choose = el("input", { type: "file", accept: ".whl", class: "unseen", "aria-label": "A wheel with a game", tabindex: "-1" });
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
    button("Hand this game to another phone", handOver),
    button("Link to this game", async () => share(new URL(await Link.only.ask("link"), location.href).href)),
    button("Big screen", () => window.open("tv.html", "referee-screen")),
  ),
  el("p", { class: "quiet" }, "Games stay in this browser. Save those you want to keep: a browser may forget a page that was not used for weeks."),
);

/** Pass a link on, the way this device does it. */
async function share(url) {
  if (navigator.share) await navigator.share({ url });
  else {
    await navigator.clipboard.writeText(url);
    throw new Error(`Copied: ${url}`);
  }
}

/** Games that others wrote: each wheel has a place of its own, and the page is opened anew for it. */
const wheels = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("wheels", { create: true });
const open = (name) => {
  localStorage.setItem("wheel", name);
  location.reload();
};

async function add(file) {
  if (!/^[\w.]+-[\w.!+]+-[\w.]*py3[\w.]*-none-any\.whl$/.test(file.name)) {
    throw new Error(`${file.name}: expected a wheel of pure Python, as mygame-1.0-py3-none-any.whl`);
  }
  if (file.size > LARGEST) throw new Error(`${file.name}: expected at most ${LARGEST / 1e6} MB`);
  const handle = await (await wheels()).getFileHandle(file.name, { create: true });
  const writable = await handle.createWritable();
  await writable.write(file);
  await writable.close();
  open(file.name);
}

async function remove(name) {
  await (await wheels()).removeEntry(name);
  open("");
}

async function shelve() {
  const rows = [];
  for await (const name of (await wheels()).keys()) {
    const does = name === wheel ? button(`Remove ${name}`, () => remove(name)) : button(`Open ${name}`, () => open(name));
    rows.push(does);
  }
  if (wheel) rows.unshift(button("Back to the referee's own games", () => open("")));
  byId("drawer").append(
    el("p", { class: "switches" }, ...rows, button("Add a game: a wheel (.whl)", () => choose.click()), choose),
    el("p", { class: "quiet" }, "A game that is added runs in a place of its own: it reaches neither a network nor your other games."),
  );
}

choose.addEventListener("change", attempt(() => choose.files[0] && add(choose.files[0])));
const arrive = attempt(opened);
addEventListener("hashchange", arrive);
arrive();
addEventListener("dragover", (event) => event.preventDefault());
addEventListener(
  "drop",
  attempt(async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file?.name.endsWith(".whl")) await add(file);
    else if (file) await Link.only.ask("take", await file.text());
  }),
);
shelve().catch(() => {}); // without a store there is no shelf, and the referee says why

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
