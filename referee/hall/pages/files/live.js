// A page that shows what has changed: it loads itself again, unless somebody is filling in a form.

import { clockText } from "./clock_text.js";
import { fresh, look as isOld } from "./fresh.js";

const page = document.body;
const news = document.getElementById("news");
const parts = (page.dataset.parts ?? "").split(" ").filter(Boolean);
const DAY = 24 * 3600 * 1000;
const SOON = 1000; // ms between two looks at a page of which parts change
let source = null;
let filling = false;
let looking = false;
let again = false;

function refresh() {
  if (filling && news) {
    news.hidden = false;
  } else {
    // Not all at the same moment: a room full of phones hears of it at once.
    setTimeout(() => location.reload(), news ? 0 : Math.random() * 2000);
  }
}

// Where only parts change, and often, they alone are replaced; what has the focus keeps it.
function look() {
  again = looking;
  if (looking) return;
  looking = true;
  const request = new XMLHttpRequest(); // it parses the page itself: no markup is made from text here
  request.responseType = "document";
  request.addEventListener("load", () => {
    if (request.status === 200 && request.response) show(request.response);
  });
  request.addEventListener("loadend", () => {
    setTimeout(() => {
      looking = false;
      if (again) look();
    }, SOON);
  });
  request.open("GET", location.href);
  request.send();
}

function show(next) {
  if (!next.getElementById(parts[0])) {
    location.reload(); // another page, to log in for example
    return;
  }
  const focus = document.activeElement?.id;
  for (const id of parts) {
    const [old, fresh] = [document.getElementById(id), next.getElementById(id)];
    if (!old || !fresh) continue;
    // What is typed stays, and so does a form that somebody has unfolded, or is at with the keys.
    const held = old.contains(document.activeElement) && !focus;
    if (held || old.querySelector(filling ? "form" : "details[open] form")) {
      if (filling && news) news.hidden = false;
      continue;
    }
    old.className = fresh.className;
    if (old.innerHTML !== fresh.innerHTML) old.replaceChildren(...fresh.childNodes);
  }
  page.dataset.newest = next.body.dataset.newest;
  if (focus && document.activeElement?.id !== focus) document.getElementById(focus)?.focus();
  tick();
}

function listen() {
  leave();
  source = new EventSource(page.dataset.stream ?? "/news");
  source.addEventListener("alive", fresh);
  source.addEventListener("message", (event) => {
    fresh();
    if (parts.length) {
      if (event.data !== page.dataset.newest) look();
    } else if (event.data !== page.dataset.news) {
      refresh();
    }
  });
  // Refused, and not only interrupted: the pass was taken back before the stream began, or too many pages listen.
  source.addEventListener("error", () => {
    if (source?.readyState === EventSource.CLOSED && !filling) {
      setTimeout(() => location.reload(), news ? 1000 : 10000 + Math.random() * 10000);
    }
  });
  source.addEventListener("out", () => location.replace("/login")); // the pass was taken back
}

// A browser opens few connections to one address: a page that nobody sees does not take one.
function leave() {
  source?.close();
  source = null;
}

document.addEventListener("input", () => { filling = true; });
document.addEventListener("submit", leave);
document.addEventListener("visibilitychange", () => { document.hidden ? leave() : listen(); });
setInterval(() => { if (!document.hidden) isOld(); }, 1000);
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
if (!document.hidden) listen();
if (page.dataset.every) setInterval(() => { if (!document.hidden) look(); }, Number(page.dataset.every));

function tick() {
  for (const wait of document.querySelectorAll("[data-since]")) {
    wait.late ??= Number(wait.dataset.now) - Date.now();
    wait.textContent = clockText(Math.max(0, Date.now() + wait.late - Number(wait.dataset.since)), true);
  }
  for (const clock of document.querySelectorAll("[data-ends]:not([data-paused])")) {
    clock.late ??= Number(clock.dataset.now) - Date.now();
    const left = Number(clock.dataset.ends) - Date.now() - clock.late;
    if (left < DAY) clock.textContent = left > 0 ? clockText(left, false) : "Time is called"; // else: until which day
  }
}

if (document.querySelector("[data-ends], [data-since]") || parts.length) {
  tick();
  setInterval(tick, 1000);
}
