// Pairing: a code from the glass, then somebody at the box chooses the role of this browser.

import { byId, el } from "./dom.js";

const EVERY = 1000;
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
    return await response.json();
  } catch {
    return { state: "out", text: "The box does not answer.", seconds: 0, lost: true };
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

/** Do one step and show where it led; a wrong code leaves the page where it was. */
async function step(message) {
  for (const button of buttons) button.disabled = true;
  const { state, text, seconds } = await send(message);
  say(state === "out" ? text : SAYS[state], state === "out" ? seconds : 0);
  const typing = message.do === "code" && state === "out" && seconds > 0 && seconds <= 4;
  pair.dataset.state = typing ? "code" : state;
  for (const button of buttons) button.disabled = false;
  if (pair.dataset.state === "code") byId("code").focus();
  if (message.do === "ask" && state === "code") watch();
  if (state === "role") setTimeout(() => step({ do: "wait" }), EVERY);
  if (state === "in") enter();
}

/** While the code is typed: hear when somebody at the box refuses it, or its time is up. */
async function watch() {
  const { state, text, lost } = await send({ do: "wait" });
  if (state === "in") enter(); // asked before the code was entered, and answered after
  if (pair.dataset.state !== "code") return;
  if (state === "out" && !lost) {
    byId("says").textContent = text;
    pair.dataset.state = "out";
  } else {
    setTimeout(watch, EVERY);
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
