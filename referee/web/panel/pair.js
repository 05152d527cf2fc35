// Joining: the code that is on the box, then somebody there chooses the role of this browser.

import { byId, el } from "./dom.js";

const EVERY = 1000;
/** What passes: no answer, too many requests, a disk that is full. */
const PASSES = [0, 429, 503];
const SAYS = {
  role: "Correct. Now choose at the box what this browser may do.",
  in: "Access granted.",
};
/** The code that was scanned, "" for none. */
const SCANNED = /\/([0-9]{6})$/.exec(location.pathname)?.[1] ?? "";

const pair = document.querySelector(".pair");
const button = pair.querySelector("button");

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

/** Do one step and show where it led. */
async function step(message) {
  button.disabled = true;
  const answer = await send(message);
  const { text, seconds } = answer;
  const state = message.do === "wait" && PASSES.includes(answer.status) ? "role" : answer.state;
  const said = state === "out" ? text : SAYS[state];
  if (message.do !== "wait" || byId("says").firstChild?.data !== said) say(said, state === "out" ? seconds : 0);
  pair.dataset.state = state;
  button.disabled = false;
  if (state === "out") byId("code").focus();
  if (state === "role") setTimeout(() => step({ do: "wait" }), EVERY);
  if (state === "in") enter();
}

/** Open the page that was asked for; who came by a code, or asked for more, goes to the panel. */
function enter() {
  if (SCANNED || asksForMore()) location.replace("./");
  else location.reload();
}

function asksForMore() {
  return location.pathname.endsWith("/ask");
}

byId("leave").hidden = !asksForMore();
byId("code").value = SCANNED;
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const code = byId("code").value.replace(" ", "");
  byId("code").value = "";
  step({ do: "code", code, wish: document.querySelector("[name=wish]:checked").value });
});
