// Small helpers for building the page without ever parsing HTML.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

/** Ids of rules in a sentence, as in "(BR-45)", and one that stands alone, which the style keeps in one line. */
const HYPHENS = /\b([A-Z]{2}-)(?=X?\d)/g;
const ALONE = /^[A-Z]{2}-X?\d+$/;

/** An element with properties and attributes; children may be nodes, strings, or null. No sentence breaks the id of a rule. */
export function el(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined).map(unbroken));
  return node;
}

/** A joiner has no width and no sound: no line ends in an id, and a voice reads the sentence in one piece. */
const unbroken = (child) => (typeof child === "string" && !ALONE.test(child) ? child.replace(HYPHENS, "$1\u2060") : child);

/** The face of a die as a picture; spots where they are on a real one, a number on dice of other than six sides. */
export function dieFace(face, sides = 6) {
  const picture = { viewBox: "0 0 24 24", class: "die", "aria-hidden": "true" };
  if (sides !== 6) {
    const number = { x: 12, y: 17, "text-anchor": "middle", "font-size": 14, "font-weight": 700 };
    return svg("svg", picture, svg("text", number, String(face)));
  }
  const spots = {
    1: [[2, 2]],
    2: [[1, 1], [3, 3]],
    3: [[1, 1], [2, 2], [3, 3]],
    4: [[1, 1], [1, 3], [3, 1], [3, 3]],
    5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
    6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
  }[face];
  const circles = spots.map(([column, row]) => svg("circle", { cx: column * 6, cy: row * 6, r: 2.5 }));
  return svg("svg", picture, ...circles);
}

/** Whether a sentence begins with these words, so that they need not stand before it. */
export const beginsWith = (sentence, words) =>
  !words || sentence.toLowerCase().startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(sentence.slice(words.length));

/** The item and id that each reconciled node was built from. */
const sources = new WeakMap();

/** Keep a child of `parent` for each item, found again by its id, so that focus and open details survive. */
export function reconcile(parent, items, idOf, build) {
  const before = new Map([...parent.children].map((child) => [sources.get(child).id, child]));
  let at = parent.firstElementChild;
  for (const item of items) {
    const id = String(idOf(item));
    let node = before.get(id);
    if (!node || !alike(sources.get(node).item, item)) {
      const fresh = build(item);
      sources.set(fresh, { id, item });
      if (node) {
        if (node === at) at = node.nextElementSibling;
        keepState(node, fresh);
        node.replaceWith(fresh);
      }
      node = fresh;
    }
    before.delete(id);
    if (node === at) at = at.nextElementSibling;
    else parent.insertBefore(node, at);
  }
  for (const gone of before.values()) gone.remove();
}

const alike = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

function keepState(old, fresh) {
  const open = old.querySelector("details[open]");
  const details = fresh.querySelector("details");
  if (open && details) details.open = true;
  if (old.contains(document.activeElement)) {
    // Focus can only move once the new node is in the page.
    queueMicrotask(() => fresh.querySelector("summary, button")?.focus({ preventScroll: true }));
  }
}
