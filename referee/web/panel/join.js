// How a phone gets to the panel: the code to scan, and the address.

import { el } from "./dom.js";

/** Show code and address, folded up; nothing where no phone can get here. */
export function showJoin(place, address) {
  const folded = () => el("details", { class: "help" }, el("summary", {}, "Join with a phone"), joinCode(address));
  place.replaceChildren(...(address ? [folded()] : []));
}

/** Return code and address. */
export function joinCode(address) {
  const image = el("img", { src: "join.svg", alt: `QR code of ${address}`, width: 232, height: 232 });
  return el("figure", { class: "join" }, image, el("figcaption", {}, address.replace("http://", "")));
}
