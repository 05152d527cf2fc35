// Connects the parts of the page: the connection to the box, the glass and the table.

import { Announcer } from "./announcer.js";
import { Band } from "./band.js";
import { Buzzer } from "./buzzer.js";
import { Changes } from "./changes.js";
import { Clocks } from "./clocks.js";
import { byId, dieFace, el } from "./dom.js";
import { Glass } from "./glass.js";
import { listen } from "./keyboard.js";
import { showJoin } from "./join.js";
import { Keys, makePressable } from "./keys.js";
import { Knob } from "./knob.js";
import { Link } from "./link.js";
import { Log } from "./log.js";
import { Names } from "./names.js";
import { Now } from "./now.js";
import { Report } from "./report.js";
import { watchScrolls } from "./scrolls.js";
import { showLamps } from "./seats.js";
import { showDice, showPools, showWhere } from "./table.js";
import { Voice } from "./voice.js";

const NOTICE = 4000;
const CAPTION = 1500;

const box = byId("box");
let table = null;
/** What this browser may do, as the box told; and the seats. */
let role = "";
let seats = [];
let onlyJudges = false;
for (let face = 1; face <= 6; face += 1) {
  byId("die-keys").append(
    el(
      "button",
      { type: "button", "data-key": `die-${face}`, "aria-label": `Die ${face}`, "aria-keyshortcuts": face },
      el("span", { class: "digit" }, String(face)),
      dieFace(face),
    ),
  );
}

watchScrolls([...document.querySelectorAll(".scrolls")]);
const glass = new Glass(byId("glass"), byId("bezel"));
const log = new Log(byId("log"));
const clocks = new Clocks(byId("clocks"));
const buzzer = new Buzzer(byId("sound"));
const link = new Link(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, {
  message: (message) => keepingFocus(() => heard[message.type]?.(message)),
  state: (state) => {
    if (state !== "open") letGo();
    if (state === "out") location.reload(); // the box asks for a code now
    document.body.dataset.link = state;
    role = "";
    const [first, ...rest] = STATES[state].split(",");
    byId("link").replaceChildren(first, ...rest.map((each) => el("span", { class: "far" }, `,${each}`)));
  },
});
const band = new Band(byId("ruling"));
const now = new Now(byId("asked"), (tap) => link.send({ type: "tap", ...tap }));
const names = new Names(byId("names"), (name) => link.send({ type: "name", ...name }));
const report = new Report(byId("report"));
const changes = new Changes();
const announcer = new Announcer(byId("spoken"));
const voice = new Voice(byId("voice"), (speaks) => link.send({ type: "voice", speaks }));
const keys = new Keys(
  link,
  (key, down) => document.querySelectorAll(`[data-key="${key}"]`).forEach((each) => each.classList.toggle("down", down)),
  (steps) => knob.show(steps),
);
const knob = new Knob(
  { ring: byId("ring"), mark: byId("mark"), steppers: box.querySelectorAll("[data-turn]") },
  keys,
);
makePressable(document.body, keys);
const forgetKeyboard = listen(keys);

function letGo() {
  keys.releaseAll();
  forgetKeyboard();
}
addEventListener("blur", letGo);
addEventListener("pagehide", letGo);
document.addEventListener("visibilitychange", () => document.hidden && letGo());

const passing = new Map();

/** Show a line of text for a moment. */
function flash(place, text, milliseconds) {
  clearTimeout(passing.get(place));
  place.textContent = text;
  passing.set(place, setTimeout(() => (place.textContent = ""), milliseconds));
}

function showRole() {
  if (!role) return;
  const seat = seats.find(({ key }) => key === role)?.name ?? role.replace("-", " ");
  byId("link").replaceChildren(el("span", { class: "far" }, "Connected: "), ROLES[role] ?? seat);
  showTurn();
}

/** Who watches sees all keys and answers, and Tab passes them by; the way to a seat stands where those back and on are. */
function letPress(may) {
  for (const keys of document.querySelectorAll("fieldset")) keys.disabled = !may;
}

/** A seat whose lamp is dark, or whom only a judge can help, is not asked: the box refuses what it presses. */
function showTurn() {
  const own = seats.find(({ key }) => key === role);
  const asked = !own || (!onlyJudges && own.state !== "off");
  document.body.dataset.turn = asked ? "own" : "others";
  byId("turn").hidden = asked;
  byId("turn").textContent = onlyJudges ? "Waiting for a judge" : "Not your turn";
  for (const button of byId("seats").querySelectorAll("[data-key]")) {
    button.toggleAttribute("data-mine", button.dataset.key === role);
  }
}

/** Ways out of every question, as the box offers them: those that are not there now keep their place. */
function showWays() {
  const ways = new Map((table?.ways ?? []).map((way) => [way.id, way]));
  for (const button of document.querySelectorAll("[data-way]")) {
    const way = ways.get(button.dataset.way);
    button.disabled = !way || (way.held && role.startsWith("seat-"));
  }
}
byId("ways").addEventListener("click", ({ target }) => {
  const way = table?.ways.find(({ id }) => id === target.closest("[data-way]")?.dataset.way);
  if (way) link.send({ type: "tap", screen: table.screen, button: way.id, held: way.held });
});

byId("fold").addEventListener("click", () => unfold(byId("drawer").hidden));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || byId("drawer").hidden) return;
  event.stopImmediatePropagation();
  unfold(false);
}, { capture: true });

/** What is not needed at every press stands in a drawer; on a phone the record does too. */
function unfold(open) {
  byId("drawer").hidden = !open;
  byId("fold").setAttribute("aria-expanded", String(open));
  document.body.toggleAttribute("data-unfolded", open);
}

function showTable(message) {
  table = message;
  byId("title").textContent = table.title;
  document.title = [table.where.at(-1), table.title].filter(Boolean).join(" · ");
  byId("badge").textContent = table.sim ? "Simulated box" : "Live box";
  showWhere(byId("where"), table.where);
  now.show(table);
  report.show(Boolean(table.report));
  band.show(table, log.latest);
  showWays();
  showPools(byId("pools"), table, changes.take(table.pools, table.n));
  showDice(byId("dice"), table.dice);
  byId("glass").setAttribute("aria-label", `Glass: ${table.spoken}`);
  announcer.announce(table);
  voice.read(table);
}

const heard = {
  join: ({ address }) => showJoin(byId("join"), address),
  glass: (message) => glass.show(message),
  lamps: (message) => {
    showLamps(byId("seats"), message);
    seats = message.seats;
    onlyJudges = message.judges;
    showRole();
    names.show(message.seats);
  },
  sound: (message) => {
    buzzer.sound(message.pattern);
    flash(byId("caption"), `♪ ${message.name}`, CAPTION);
  },
  table: showTable,
  clock: (message) => clocks.show(message),
  round: (message) => clocks.showRound(message),
  log: (message) => {
    log.show(message);
    if (table) band.show(table, log.latest);
  },
  error: (message) => {
    flash(byId("notice"), message.text, NOTICE);
    names.refused();
  },
  role: (message) => {
    role = message.role;
    letPress(role !== "watch");
    byId("more").hidden = role === "judge";
    byId(role === "watch" ? "ways" : "names").after(byId("more"));
    document.body.dataset.role = role.startsWith("seat-") ? "player" : role;
    showWays();
    showRole();
  },
};

const STATES = { open: "Connected", lost: "Disconnected, reconnecting…", out: "No access" };
const ROLES = { watch: "watching", judge: "judge" };

/** Show what the box has told; for whoever plays with the keyboard alone, move the focus to the question if what had it is no longer on the page. */
function keepingFocus(show) {
  const before = document.activeElement;
  show();
  if (before === document.body) return;
  // Parts of the page that find their own again do so first.
  setTimeout(() => {
    const isLeft = before.checkVisibility() && !before.matches(":disabled"); // as all answers are for who only watches now
    if (isLeft || ![before, document.body].includes(document.activeElement)) return;
    byId("asked-head").focus({ preventScroll: true });
  });
}
