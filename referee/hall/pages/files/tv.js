// Turns to the next page once the hall answers; until then this one stays, and says since when it is old.

import { fresh, look } from "./fresh.js";

const { following, seconds } = document.body.dataset;
const SIGN = 3000; // ms

async function answers(url) {
  const answer = await fetch(url, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(SIGN) })
    .catch(() => null);
  if (answer?.ok) fresh();
  return answer?.ok;
}

async function turn() {
  if (await answers(following)) {
    location.replace(following);
  } else {
    wait();
  }
}

function wait() {
  setTimeout(turn, Number(seconds) * 1000);
}

if (following) wait();
setInterval(() => {
  answers(location.href);
  look();
}, SIGN / 2);
