// How a phone gets to the panel: the code to scan, and the address.

import { el } from "./dom.js";

/** Show code and address behind what the place holds already; without an address the place is hidden. */
export function showJoin(place, address) {
  place.hidden = !address;
  place.querySelector(".join")?.remove();
  if (address) place.append(joinCode(address));
}

/** Return code and address. */
export function joinCode(address) {
  const image = el("img", { src: "join.svg", alt: `QR code of ${address}`, width: 232, height: 232 });
  return el("figure", { class: "join" }, image, el("figcaption", {}, address.replace("http://", "")));
}
