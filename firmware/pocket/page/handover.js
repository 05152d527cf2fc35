// What an address brings: a game handed over in QR codes, or the way to a game on the shelf. And the codes that do so.

import { byId, el } from "./dom.js";
import { Link } from "./link.js";

const PARTS = "handed over";

/** Show the codes that hand the game on the table over, one after the other. */
export async function handOver() {
  const codes = JSON.parse(await Link.only.ask("codes", location.href.split("#")[0]));
  const image = el("img", { alt: "", width: 360, height: 360 });
  const text = el("p", { role: "status" });
  const next = el("button", { type: "button", class: "switch" }, "Next code");
  const close = el("button", { type: "button", class: "switch" }, "Done");
  const dialog = el("dialog", { class: "codes" }, image, text, el("p", { class: "switches" }, next, close));
  let at = 0;
  const show = () => {
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(new Blob([codes[at]], { type: "image/svg+xml" }));
    image.alt = `Code ${at + 1} of ${codes.length}`;
    text.textContent =
      codes.length > 1 ? `Code ${at + 1} of ${codes.length}: scan each with the camera of the other phone.` : "Scan this code with the camera of the other phone.";
    next.hidden = codes.length === 1;
  };
  next.addEventListener("click", () => {
    at = (at + 1) % codes.length;
    show();
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  show();
  document.body.append(dialog);
  dialog.showModal();
}

/** Do what the address asks for, once. */
export async function opened() {
  const [what, rest] = location.hash.slice(1).split("=");
  if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done, { once: true })); // the link is made
  if (what === "take") await take(rest);
  else if (what === "play") {
    forget();
    await Link.only.ask("play", rest);
  }
}

const forget = () => history.replaceState(null, "", location.pathname);

/** Keep a part of a game; take the game once all are here. */
async function take(code) {
  const [check, at, of, part] = code.split(".");
  const stored = JSON.parse(localStorage.getItem(PARTS) ?? "{}");
  const parts = stored.check === check ? stored.parts : {};
  parts[at] = part;
  const left = [...Array(Number(of)).keys()].map((n) => n + 1).filter((n) => !parts[n]);
  forget();
  if (left.length) {
    localStorage.setItem(PARTS, JSON.stringify({ check, parts }));
    throw new Error(`Code ${at} of ${of} is read. Scan code ${left[0]} next.`);
  }
  localStorage.removeItem(PARTS);
  const text = Object.keys(parts).sort((one, other) => one - other).map((n) => parts[n]).join("");
  await Link.only.ask("take_codes", text);
}
