// Pairing: a code from the glass, then somebody at the box chooses the role of this browser.

import { byId } from "./dom.js";

const EVERY = 1000;
const SAYS = {
  code: "",
  role: "Correct. Now choose at the box what this browser may do.",
  in: "Access granted.",
};

const pair = document.querySelector(".pair");
const buttons = pair.querySelectorAll("button");

async function say(message) {
  try {
    const response = await fetch("pair", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
    });
    return await response.json();
  } catch {
    return { state: "out", text: "The box does not answer.", seconds: 0 };
  }
}

/** Do one step and show where it led; a wrong code leaves the page where it was. */
async function step(message) {
  for (const button of buttons) button.disabled = true;
  const { state, text, seconds } = await say(message);
  const again = seconds ? ` Try again in ${seconds} s.` : "";
  byId("says").textContent = state === "out" ? text + again : SAYS[state];
  const typing = message.do === "code" && state === "out" && seconds > 0 && seconds <= 4;
  pair.dataset.state = typing ? "code" : state;
  for (const button of buttons) button.disabled = false;
  if (pair.dataset.state === "code") byId("code").focus();
  if (state === "role") setTimeout(() => step({ do: "wait" }), EVERY);
  if (state === "in") enter();
}

/** Open the page that was asked for; who asked for more than a page goes to the panel. */
function enter() {
  if (location.pathname.endsWith("/ask")) location.replace("./");
  else location.reload();
}

byId("ask").addEventListener("click", () => step({ do: "ask", wish: document.querySelector("[name=wish]:checked").value }));
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const code = byId("code").value.replace(" ", "");
  byId("code").value = "";
  step({ do: "code", code });
});
