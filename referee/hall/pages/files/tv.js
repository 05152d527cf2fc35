// Turns to the next page once the hall answers; until then this one stays.

const { following, seconds } = document.body.dataset;

async function turn() {
  const answer = await fetch(following, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.ok) {
    location.replace(following);
  } else {
    wait();
  }
}

function wait() {
  setTimeout(turn, Number(seconds) * 1000);
}

wait();
