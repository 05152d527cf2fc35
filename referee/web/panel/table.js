// What the glass has no room for: the full question, odds, counters, dice.

import { dieFace, el } from "./dom.js";

const quiet = (text) => el("p", { class: "quiet" }, text);

export function showWhere(place, where) {
  const last = where.length - 1;
  place.replaceChildren(
    ...where.map((step, index) => el("li", { "aria-current": index === last ? "step" : null }, step)),
  );
}

export function showOdds(place, head, { odds, odds_of: of, assumes }) {
  head.textContent = of === "outcome" ? "Outlook" : "Odds of this roll";
  place.replaceChildren(...chances(odds, assumes));
}

/** The chances as bars, and what they assume. */
export function chances(odds, assumes) {
  if (!odds.length) return [quiet("No roll pending.")];
  const rows = odds.map(({ text, chance, share }) =>
    el(
      "li",
      {},
      el("span", { class: "what" }, text),
      el("span", { class: "chance" }, chance, el("small", {}, ` ${percent(share)}`)),
      bar(share),
    ),
  );
  return [el("ul", { class: "bars" }, ...rows), ...(assumes ? [quiet(assumes)] : [])];
}

/** Show the counters; `before`: what each one was that has just changed, by its id. */
export function showPools(place, pools, before) {
  if (!pools.length) {
    place.replaceChildren(quiet("No counters."));
    return;
  }
  const largest = Math.max(1, ...pools.map(({ value }) => value));
  const sides = new Map();
  for (const pool of pools) sides.set(pool.side ?? "", [...(sides.get(pool.side ?? "") ?? []), pool]);
  const groups = [...sides].map(([side, members]) =>
    el(
      "div",
      { class: "side" },
      side ? el("h3", {}, side) : null,
      el(
        "ul",
        { class: "bars" },
        ...members.map(({ id, name, value, cap }) => {
          const was = before.get(id);
          const changed = before.has(id);
          return el(
            "li",
            { class: changed ? "moved" : value === 0 ? "spent" : null },
            el("span", { class: "what" }, name),
            el("span", { class: "chance" }, changed ? `${was} → ${value}` : String(value), cap ? el("small", {}, ` of ${cap}`) : null),
            bar(value / (cap || largest), changed ? was / (cap || largest) : null),
          );
        }),
      ),
    ),
  );
  for (const group of groups) group.style.setProperty("--counters", group.querySelectorAll("li").length);
  place.replaceChildren(...groups);
}

export function showDice(place, dice) {
  const faces = dice?.faces ?? [];
  const total = faces.reduce((sum, count) => sum + count, 0);
  if (!total) {
    place.replaceChildren(quiet("No faces entered yet."));
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
    el("ul", { class: "faces" }, ...columns),
    quiet(`${total} ${total === 1 ? "die" : "dice"}, mean ${(sum / total).toFixed(2)}; fair dice average 3.50.`),
  );
}

/** A bar of a share from 0 to 1; where it was another `from`, it moves from there. */
function bar(share, from = null) {
  const width = (part) => `${Math.max(0, Math.min(1, part)) * 100}%`;
  const fill = el("span", { class: from === null ? "fill" : "fill moves" });
  fill.style.width = width(share);
  if (from !== null) fill.style.setProperty("--from", width(from));
  return el("span", { class: "bar", "aria-hidden": "true" }, fill);
}

export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.1) return "<0.1 %";
  if (value > 99.9 && value < 100) return ">99.9 %";
  return `${(value > 0 && value < 10) || (value > 99 && value < 100) ? value.toFixed(1) : Math.round(value)} %`;
}
