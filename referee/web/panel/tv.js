// The big screen: the ruling fills it, then the question with its odds; when nothing happens its pages turn by themselves.

import { Changes } from "./changes.js";
import { Announcer } from "./announcer.js";
import { heardAt, roundText, seatTexts } from "./clocks.js";
import { beginsWith, byId, dieFace, el } from "./dom.js";
import { joinCode } from "./join.js";
import { Link } from "./link.js";
import { joined } from "./log_lines.js";
import { percent } from "./table.js";

/** Milliseconds without anything new after which the pages begin to turn, and for which each stays. */
const REST = 20000;
const PAGE = 9000;
/** Milliseconds for which a ruling stays at least, and more for each of its letters: it is read from afar. */
const READ = 3000;
const LETTER = 40;
const LOG = 14;
/** Lines of the log that stand among the rulings, whatever they tell: what happened last. */
const NEWS = 3;
const BARS = 5;
/** More counters than this stand smaller, in three columns. */
const FEW = 8;
const LINES = 4;
/** Letters above which a question is set smaller, so that its odds keep their room. */
const LONG = 44;
/** Steps of the way that always stand there, as the heads of the story do: which round it is, and whose turn. */
const ROUND = 2;
/** With more answers than die keys the last key turns their page. */
const DIE_KEYS = 6;
/** Kinds of cards that ask; the others tell something. */
const ASKS = new Set(["grid", "rows", "count", "dice", "question"]);

/** What gives way, in this order, and from which end: reasons, counters (their own pages show them), what happened first. */
const GIVES_WAY = [".why li", ".moved li", ".pools li", ".story li li", ".shelf li", ".odds li"];

const stage = byId("stage");
const announcer = new Announcer(byId("spoken"));
let table = null;
let log = [];
let clock = { seats: [], since: 0 };
let round = { round: 0 };
let before = new Map();
const changes = new Changes();
let address = "";
let page = 0;
/** The first counter on the page of counters: some pages are full before they have shown all. */
let from = 0;
let timer = 0;
/** The ruling that is read, as text, and until when it stays whatever is asked meanwhile. */
let read = "";
let stays = 0;

new Link(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/watch`, {
  message: (message) => heard[message.type]?.(message),
  state: (state) => {
    if (state === "out") location.reload(); // the box asks for a code now
    document.body.dataset.link = state;
    byId("link").textContent = state === "open" ? "" : "Disconnected, reconnecting…";
  },
});

const heard = {
  join: (message) => (address = message.address),
  table: (message) => {
    announcer.announce(message);
    before = changes.take(message.pools, message.n);
    table = message;
    wake();
    showNow();
  },
  log: (message) => {
    log = joined(log, message);
    showLatest();
  },
  clock: (message) => {
    clock = heardAt(message);
    showClocks();
  },
  round: (message) => {
    round = heardAt(message);
    showClocks();
  },
};

function wake() {
  clearTimeout(timer);
  page = 0;
  from = 0;
  if (isRuling()) [read, stays] = [JSON.stringify(table.ruling), performance.now() + readingTime(table.ruling)];
  else if (JSON.stringify(table.ruling) !== read) stays = 0; // it does not count any more
  const left = stays - performance.now();
  if (!isRuling() && left > 0) {
    timer = setTimeout(wake, left);
    return;
  }
  show();
  timer = setTimeout(turn, REST);
}

/** Turn to the next page, also for those who asked for stillness: nothing on it moves then, and nobody misses any. */
function turn() {
  from = document.body.dataset.page === "counters" ? from + stage.querySelectorAll(".pools li:not([hidden])").length : 0;
  if (from === 0 || from >= table.pools.length) [page, from] = [page + 1, 0];
  show();
  timer = setTimeout(turn, PAGE);
}

const isRuling = () => table.card.kind === "ruling" && Boolean(table.ruling);

function readingTime({ headline, to_do: toDo, why }) {
  return Math.min(REST, READ + LETTER * [headline, ...toDo, ...why].join(" ").length);
}

function show() {
  byId("title").textContent = table.title;
  byId("where").replaceChildren(...table.where.map((step) => el("span", {}, step)));
  const pages = isRuling() ? [] : [["asked", asked]];
  if (table.ruling) pages.push(["ruled", ruled]);
  if (table.pools.length) pages.push(["counters", () => counters(table.pools.slice(from))]);
  if (log.length) pages.push(["story", story]);
  if (address) pages.push(["join", join]);
  const [name, build] = pages[page % pages.length];
  document.body.dataset.page = name;
  byId("rules").replaceChildren(...(table.ruling?.rules ?? []).map((rule) => el("span", {}, rule)));
  stage.replaceChildren(...build());
  showNow();
  arrange();
}

function arrange() {
  const where = byId("where");
  where.classList.remove("under");
  where.classList.toggle("under", where.clientWidth < where.parentElement.clientWidth / 2);
  shorten(where, [...where.children]);
  showLatest();
  fit();
}

/** Let nothing on the stage lie outside it: a result stays large where some of its reasons can go, else all is set smaller. */
function fit() {
  const much = () => stage.scrollHeight > stage.clientHeight;
  const begin = (tight) => {
    for (const each of stage.querySelectorAll("[hidden]")) each.hidden = false;
    stage.classList.toggle("tight", tight);
  };
  const giveWay = (selector) => {
    const lines = [...stage.querySelectorAll(selector)];
    if (selector === ".story li li") lines.reverse(); // the newest stays
    while (lines.length > 1 && much()) lines.pop().hidden = true;
  };
  begin(false);
  giveWay(".why li");
  if (!much()) return;
  begin(true);
  GIVES_WAY.forEach(giveWay);
}

/** Leave out steps of the way until the rest has room, the round never, and the last only where there is no room for it. The
    seat stands below, too. */
function shorten(where, steps) {
  const all = [...where.children];
  for (const step of all) step.hidden = !steps.includes(step);
  const much = () => where.scrollHeight > where.clientHeight + 1 || all.some(({ offsetWidth }) => offsetWidth > where.clientWidth);
  const seat = steps.slice(1, -1).filter(({ textContent }) => beginsWith(table.turn, textContent));
  for (const step of [...steps.slice(ROUND, -1), ...seat]) if (much()) step.hidden = true;
  if (much() && steps.length > ROUND) shorten(where, steps.slice(0, -1));
}

/** What stands on every page: whose turn it is or who is asked, what is asked where the stage does not say it, what to press. */
function showNow() {
  const { card, turn, where } = table;
  const who = card.whose || card.seat;
  const shown = document.body.dataset.page === "asked" || !where.length || card.kind === "ruling" || card.whose;
  const asks = shown ? "" : ASKS.has(card.kind) ? card.text || card.title : card.kind === "idle" ? ended(card) : card.title;
  const [name] = who.split(" (");
  const rest = beginsWith(asks, name) ? asks.slice(name.length).replace(/^[:.] /, ": ") : asks && `: ${asks}`;
  const told = who && document.body.dataset.page === "asked"; // large, on the stage
  const head = told ? [] : who ? [el("strong", {}, who), rest] : turn ? ["Turn: ", el("strong", {}, turn), asks && `. ${asks}`] : [asks];
  byId("now").replaceChildren(el("span", { class: "head" }, ...head.filter(Boolean)), ...presses(card));
  showLatest();
}

const ended = ({ title, text }) => (/^\p{Ll}/u.test(text) ? `${title} ${text}` : title);

/** The latest ruling, where it has room in a line that is left to it: it has a page of its own, and nothing is to move. */
function showLatest() {
  const [now, place] = [byId("now"), byId("latest")];
  const below = document.body.dataset.page === "ruled" ? byId("rules") : place;
  const footer = now.parentElement;
  footer.classList.remove("full");
  footer.classList.toggle("full", now.getBoundingClientRect().bottom > below.getBoundingClientRect().top + 1);
  place.textContent = log.findLast(({ kind, undone }) => kind === "ruling" && !undone)?.text ?? "";
  if (place.scrollWidth > place.clientWidth) place.textContent = "";
}

// Another size of the screen, or of what stands over and under the stage.
new ResizeObserver(arrange).observe(stage);

function ruled() {
  const { headline, faces, sides, total, need, to_do: toDo, changed, why } = table.ruling;
  const sum = /^\d+$/.test(total) && faces.length > 1 ? `= ${total}` : total;
  const dice = faces.map((face, index) => {
    const die = dieFace(face, sides);
    die.style.setProperty("--turn", index);
    return die;
  });
  const moved = table.pools.filter(({ id }) => before.has(id)).map((pool) => [`${pool.name} `, el("span", { class: "value" }, ...valueOf(pool))]);
  const what = moved.length ? moved : [[changed]].filter(([words]) => words);
  // A reason always stands beside what is to be done; what a counter is now is told once.
  const room = Math.max(1, LINES - toDo.length - what.length);
  const reasons = why.filter((each) => each !== changed).slice(0, room).map((each) => [each]);
  return [
    el("p", { class: headline.length > 16 ? "headline long" : "headline" }, headline),
    faces.length || sum || need
      ? el(
          "p",
          { class: "throw" },
          faces.length ? el("span", { class: "unseen" }, `Dice ${faces.join(" and ")}`) : null,
          ...dice,
          sum ? el("span", { class: "sum" }, sum) : null,
          need ? el("span", { class: "need" }, need) : null,
        )
      : "",
    list("ol", toDo.length > 2 ? "to-do many" : "to-do", "To do now", toDo.map((each) => [each])),
    list("ul", "moved", "What has changed", what),
    list("ul", "why", "Why", reasons),
  ];
}

const list = (tag, name, label, lines) =>
  lines.length ? el(tag, { class: name, "aria-label": label }, ...lines.map((line) => el("li", {}, ...line))) : "";

function asked() {
  const { kind, title, text, seat, whose } = table.card;
  if (kind === "idle" && table.over) return over();
  const odds = fewest(table.odds).map(({ text: what, share }) => {
    const fill = el("span", { class: "fill" });
    fill.style.width = `${100 * share}%`;
    return el("li", {}, el("span", { class: "what" }, what), el("span", { class: "bar" }, fill), el("span", {}, percent(share)));
  });
  return [
    seat ? el("p", { class: "seat" }, seat) : "",
    text && !beginsWith(text, title) && !beginsWith(seat, title) ? el("p", { class: "who" }, title) : "",
    el("p", { class: (text || title).length > LONG ? "question long" : "question" }, text || title),
    whose ? el("p", { class: "whose" }, whose === seat ? "Press your button" : `${whose}, press your button`) : "",
    odds.length ? el("ul", { class: "odds" }, ...odds) : table.n ? newest() : games(),
  ];
}

/** Who has won, and why. */
function over() {
  const headline = ended(table.card);
  return [
    el("p", { class: headline.length > 16 ? "headline long" : "headline" }, headline),
    el("p", { class: "why" }, table.over),
    table.pools.length ? newest() : "",
  ];
}

/** Odds for which there is room: what is left of them is told together. */
function fewest(odds) {
  if (odds.length <= BARS) return odds;
  const share = odds.slice(BARS - 1).reduce((sum, each) => sum + each.share, 0);
  return [...odds.slice(0, BARS - 1), { text: "Anything else", share }];
}

/** The games on the shelf, and what of each is refereed: the first sentence about it. */
function games() {
  const cards = table.card.buttons.filter(({ note }) => note).map(({ text, note }) => [text, note.split(". ")[0]]);
  return el("ul", { class: "shelf" }, ...cards.map(([name, what]) => el("li", {}, el("strong", {}, name), el("span", {}, what))));
}

function counters(pools) {
  return [el("p", { class: "who" }, "Counters"), counts(pools)];
}

/** All counters for which there is room, what has just changed before the others. */
function newest() {
  return counts([...table.pools].sort((one, other) => before.has(other.id) - before.has(one.id)));
}

function counts(pools) {
  return el(
    "ul",
    { class: table.pools.length > FEW ? "pools many" : "pools" },
    ...pools.map((pool) =>
      el(
        "li",
        { class: before.has(pool.id) ? "changed" : null },
        el("span", { class: "what" }, pool.name),
        el("span", { class: "value" }, ...valueOf(pool)),
      ),
    ),
  );
}

/** What a counter is, and if it has just changed, what it was. */
function valueOf({ id, value }) {
  const was = before.get(id);
  return was === undefined ? [String(value)] : [`${was} → ${value}`];
}

/** The game by its rounds: what was ruled in them, and what happened last. */
function story() {
  const counts = log.filter(({ kind, undone }) => !undone && !["start", "undo", "pause", "unpause"].includes(kind));
  const told = counts.filter(({ kind }, at) => ["ruling", "over"].includes(kind) || at >= counts.length - NEWS).slice(-LOG);
  const rounds = [];
  for (const line of told) {
    const name = line.place.slice(0, 2);
    if (rounds.at(-1)?.name.join() !== name.join()) rounds.push({ name, lines: [] });
    rounds.at(-1).lines.push(line);
  }
  return [
    el("p", { class: "who" }, "What happened"),
    el("ol", { class: "story" }, ...rounds.map(roundOf)),
  ];
}

function roundOf({ name, lines }) {
  const steps = name.map((step) => el("span", {}, step));
  return el("li", { class: "round" }, el("h2", { class: "steps" }, ...steps), el("ol", {}, ...lines.map(event)));
}

const event = ({ seat, text, kind }) => el("li", { class: kind }, kind === "ruling" || !seat ? text : `${seat}: ${text}`);

/** What is pressed at the box: die keys, the encoder where they do not reach all, and what Select or a seat's button does. */
function presses({ kind, buttons }) {
  const digits = buttons.map(({ key }) => key).filter((key) => /^\d$/.test(key)).sort();
  const rest = buttons.some(({ key }) => !key);
  const pages = (rest && kind !== "count" && buttons.length > DIE_KEYS) || buttons.some(({ key }) => /^\d \d/.test(key));
  const keys = [...new Set([digits[0], pages ? String(DIE_KEYS) : digits.at(-1)])].filter(Boolean);
  const goes = buttons.filter(({ key }) => /(^|or )Select$/.test(key));
  const ways = [
    ...(keys.length ? [pressed(keys, " to ")] : []),
    ...(rest && !pages ? [pressed(["turn", "Select"], ", ")] : []),
    ...goes.map(({ key, text }) => pressed(key.split(" or "), " or ", text)),
  ];
  if (!ways.length) ways.push(...buttons.map(({ key, text }) => pressed([key], "", text)));
  return ways.flatMap((way, at) => [at ? " or " : " ", ...way]);
}

const pressed = (keys, between, does = "") => [
  el("span", { class: "keys" }, ...keys.flatMap((key, at) => [at ? between : "", el("kbd", {}, key)])),
  does && ` ${does}`,
];

function join() {
  return [el("p", { class: "who" }, "Join with a phone"), joinCode(address)];
}

function showClocks() {
  const texts = seatTexts(clock);
  const times = round.round ? [el("li", {}, `Round ${round.round} `, el("time", {}, roundText(round)))] : [];
  byId("clocks").replaceChildren(
    ...clock.seats.map(({ name, runs, down }, index) => {
      const text = texts[index];
      return el("li", { class: runs ? "runs" : null }, `${name} `, el("time", {}, down ? `${text} flag` : text));
    }),
    ...times,
  );
}
setInterval(() => (round.runs || clock.seats.some(({ runs }) => runs)) && showClocks(), 500);
