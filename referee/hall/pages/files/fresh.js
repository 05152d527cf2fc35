// Says on a page since when the hall has not answered, so that nobody takes what is old for what is so.

const LATE = 4500; // ms without a word, which comes every 3 s
let heard = Date.now();
const sign = document.createElement("p");
sign.className = "refusal stale";
sign.setAttribute("role", "status");
sign.hidden = true;
document.body.append(sign);

/** The hall has answered just now. */
export function fresh() {
  heard = Date.now();
  sign.hidden = true;
}

/** To be called each second while the page is seen. */
export function look() {
  if (Date.now() - heard < LATE || !sign.hidden) return;
  const since = new Date(heard).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  sign.textContent = `No answer since ${since}: this may be old.`;
  sign.hidden = false;
}
