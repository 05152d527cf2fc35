// The result that the hall has countersigned: its receipt, and folded up the code of all that was signed.

import { el } from "./dom.js";

/** Show the receipt, once; nothing where there is none. */
export function showCountersigned(place, receipt = "") {
  if (place.dataset.receipt === receipt) return;
  place.dataset.receipt = receipt;
  place.replaceChildren(...(receipt ? [folded(receipt)] : []));
}

function folded(receipt) {
  const image = el("img", { src: `countersigned.svg?${encodeURIComponent(receipt)}`, alt: "QR code with everything that was signed", width: 232, height: 232 });
  return el("details", { class: "help" }, el("summary", {}, `Countersigned: ${receipt}`), el("figure", { class: "join" }, image));
}
