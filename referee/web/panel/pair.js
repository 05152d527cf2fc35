// Pairing: a code from the glass, then somebody at the box chooses the role of this browser.

import { byId, el } from "./dom.js";

const EVERY = 1000;
/** Refusals after which the code no longer stands, by their status; a wrong code can be tried again within so many seconds. */
const GONE = 410;
const REFUSED = 403;
const SOON = 4;
const SAYS = {
  code: "",
  role: "Correct. Now choose at the box what this browser may do.",
  in: "Access granted.",
};

const pair = document.querySelector(".pair");
const buttons = pair.querySelectorAll("button");

async function send(message) {
  try {
    const response = await fetch("pair", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
    });
    return { status: response.status, ...(await response.json()) };
  } catch {
    return { status: 0, state: "out", text: "The box does not answer.", seconds: 0 };
  }
}

/** Say it, and count down until it can be tried again; a screen reader hears once how long that is. */
function say(text, seconds) {
  const until = performance.now() + seconds * 1000;
  const left = el("span", { "aria-hidden": "true" });
  const once = seconds ? el("span", { class: "unseen" }, `Try again in ${seconds} s.`) : "";
  byId("says").replaceChildren(text, " ", left, once);
  const count = () => {
    const rest = Math.ceil((until - performance.now()) / 1000);
    if (!left.isConnected || rest < 0) return;
    left.textContent = rest ? `Try again in ${rest} s.` : "Try again now.";
    setTimeout(count, 1000);
  };
  if (seconds) count();
}

/** Do one step and show where it led; a wrong code, and what passes, leave the page where it was. */
async function step(message) {
  for (const button of buttons) button.disabled = true;
  const { status, state, text, seconds } = await send(message);
  const stays = state === "out" && message.do !== "ask" && status !== GONE && !(status === REFUSED && seconds > SOON);
  const said = state === "out" ? text : SAYS[state];
  if (message.do !== "wait" || byId("says").firstChild?.data !== said) say(said, state === "out" ? seconds : 0);
  if (!stays) pair.dataset.state = state;
  for (const button of buttons) button.disabled = false;
  if (pair.dataset.state === "code") byId("code").focus();
  if (message.do === "ask" && state === "code") watch();
  if (pair.dataset.state === "role") setTimeout(() => step({ do: "wait" }), EVERY);
  if (state === "in") enter();
}

let watches = 0;

/** While the code is typed: hear when somebody at the box refuses it, or its time is up. The newest watch goes on alone. */
async function watch(number = (watches += 1)) {
  if (number !== watches || pair.dataset.state !== "code") return;
  const { status, state, text } = await send({ do: "wait" });
  if (state === "in") enter(); // asked before the code was entered, and answered after
  if (number !== watches || pair.dataset.state !== "code") return;
  if (status === GONE) {
    byId("says").textContent = text;
    pair.dataset.state = "out";
  } else {
    setTimeout(watch, EVERY, number);
  }
}

/** Open the page that was asked for; who asked for more than a page goes to the panel. */
function enter() {
  if (asksForMore()) location.replace("./");
  else location.reload();
}

function asksForMore() {
  return location.pathname.endsWith("/ask");
}

byId("leave").hidden = !asksForMore();
byId("ask").addEventListener("click", () => step({ do: "ask", wish: document.querySelector("[name=wish]:checked").value }));
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const code = byId("code").value.replace(" ", "");
  byId("code").value = "";
  step({ do: "code", code });
});
