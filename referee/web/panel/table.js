// What the glass has no room for: the full question, odds, counters, dice.

import { dieFace, el } from "./dom.js";

const quiet = (text) => el("p", { class: "quiet" }, text);

export function showWhere(place, where) {
  const last = where.length - 1;
  place.replaceChildren(
    ...where.map((step, index) => el("li", { "aria-current": index === last ? "step" : null }, step)),
  );
}

/** The chances as bars, and what they assume. */
export function chances(odds, assumes) {
  const rows = odds.map(({ text, chance, share }) =>
    el(
      "li",
      { class: share === 0 ? "never" : null },
      el("span", { class: "what" }, text),
      bar(share),
      el("span", { class: "of" }, chance),
      el("span", { class: "chance" }, percent(share)),
    ),
  );
  return [el("ul", { class: odds.length > 4 ? "bars close" : "bars", "aria-label": "Odds" }, ...rows), ...(assumes ? [quiet(assumes)] : [])];
}

/** How it will come out, in one bar. */
export function outlook(odds) {
  const parts = odds.map(({ share }) => {
    const part = el("span", {});
    part.style.flexGrow = share;
    return part;
  });
  const words = odds.map(({ text, chance, share }) => el("li", {}, text, " ", el("b", {}, percent(share)), chance ? el("span", { class: "of" }, ` ${chance}`) : null));
  return el("div", { class: "outlook" }, el("span", { class: "parts", "aria-hidden": "true" }, ...parts), el("ul", { "aria-label": "Odds" }, ...words));
}

/** Show the counters; `before`: what each one was that has just changed, by its id. */
export function showPools(place, { pools, assumes, odds_of: of }, before) {
  const groups = new Map();
  for (const pool of pools.map((each) => named(each, pools))) groups.set(pool.head, [...(groups.get(pool.head) ?? []), pool]);
  const sides = [...groups].map(([head, members]) =>
    el("div", { class: members.some(({ short }) => short) ? "side named" : "side" }, head ? el("h3", {}, head) : null, el("ul", {}, ...members.map((pool) => counter(pool, before)))),
  );
  const outcome = assumes && of === "outcome" ? [el("p", { class: "quiet assumes" }, `Outlook: ${assumes}`)] : [];
  place.replaceChildren(...sides, ...outcome);
}

/** Under the head of its side a counter need not name it; nor what it counts, where several count the same. */
function named({ id, name, side = "", value }, pools) {
  const [of, what] = name.split(": ");
  if (what && pools.filter((each) => each.name.endsWith(`: ${what}`)).length > 1) return { id, value, name: of, short: true, head: [side, what].filter(Boolean).join(", ") };
  const short = Boolean(side) && name.startsWith(`${side} `);
  return { id, value, name: short ? name.slice(side.length + 1) : name, short, head: side };
}

function counter({ id, name, value }, before) {
  const changed = before.has(id);
  return el(
    "li",
    { class: changed ? "moved" : value === 0 ? "spent" : null },
    el("span", { class: "what" }, name),
    " ",
    el("span", { class: "chance" }, changed ? el("s", {}, String(before.get(id))) : null, changed ? " → " : null, String(value)),
  );
}

/** How often each face has fallen; nothing before the first. */
export function showDice(place, dice) {
  const faces = dice?.faces ?? [];
  const total = faces.reduce((sum, count) => sum + count, 0);
  if (!total) {
    place.replaceChildren();
    return;
  }
  const most = Math.max(...faces);
  const columns = faces.map((count, index) => {
    const column = el("span", { class: "column" });
    column.style.height = `${(100 * count) / most}%`;
    return el(
      "li",
      {},
      el("span", { class: "tall", "aria-hidden": "true" }, column),
      el("span", { class: "count" }, el("span", { class: "unseen" }, `face ${index + 1}: `), String(count)),
      dieFace(index + 1),
    );
  });
  const sum = faces.reduce((all, count, index) => all + count * (index + 1), 0);
  place.replaceChildren(
    el("h3", {}, `${total} ${total === 1 ? "die" : "dice"} so far, mean ${(sum / total).toFixed(2)}`),
    el("ul", { class: "faces" }, ...columns),
  );
}

/** A bar of a share from 0 to 1. */
function bar(share) {
  const fill = el("span", { class: "fill" });
  fill.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return el("span", { class: "bar", "aria-hidden": "true" }, fill);
}

export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.1) return "<0.1 %";
  if (value > 99.9 && value < 100) return ">99.9 %";
  return `${(value > 0 && value < 10) || (value > 99 && value < 100) ? value.toFixed(1) : Math.round(value)} %`;
}
