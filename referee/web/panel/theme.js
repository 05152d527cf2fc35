// Light or dark: as the system has it, or as somebody chose for this browser, at the button or by ?theme=dark in the
// address. The page is not painted before this has run, so that none turns from one to the other.

import { recall, remember } from "./choice.js";

const STORE = "referee.theme";
const NAMES = { system: "System", light: "Light", dark: "Dark" };
const THEMES = Object.keys(NAMES);

const button = document.getElementById("theme");

function show(theme) {
  document.documentElement.dataset.theme = theme;
  if (!button) return;
  button.textContent = `Colours: ${NAMES[theme]}`;
}

function choose(theme) {
  remember(STORE, theme);
  show(theme);
}

const chosen = [new URLSearchParams(location.search).get("theme"), recall(STORE)].find((theme) => THEMES.includes(theme));
if (chosen) choose(chosen);
else show(THEMES[0]);

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => choose(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]));
}

// Chosen in another page of this browser.
addEventListener("storage", ({ key, newValue }) => key === STORE && THEMES.includes(newValue) && show(newValue));
