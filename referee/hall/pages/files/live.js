// A page that shows what has changed: it loads itself again, unless somebody is filling in a form.

const page = document.body;
const news = document.getElementById("news");
let source = null;
let filling = false;

function refresh() {
  if (filling && news) {
    news.hidden = false;
  } else {
    // Not all at the same moment: a room full of phones hears of it at once.
    setTimeout(() => location.reload(), news ? 0 : Math.random() * 2000);
  }
}

function listen() {
  leave();
  source = new EventSource("/news");
  source.addEventListener("message", (event) => {
    if (event.data !== page.dataset.news) refresh();
  });
}

// A browser opens few connections to one address: a page that nobody sees does not take one.
function leave() {
  source?.close();
  source = null;
}

document.addEventListener("input", () => { filling = true; });
document.addEventListener("submit", leave);
document.addEventListener("visibilitychange", () => { document.hidden ? leave() : listen(); });
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
if (!document.hidden) listen();

for (const clock of document.querySelectorAll("[data-ends]")) {
  const late = Number(clock.dataset.now) - Date.now();
  const show = () => {
    const seconds = Math.round((Number(clock.dataset.ends) - Date.now() - late) / 1000);
    const minutes = Math.floor(Math.max(0, seconds) / 60);
    const rest = String(Math.max(0, seconds) % 60).padStart(2, "0");
    clock.textContent = seconds > 0 ? `${minutes}:${rest}` : "Time is called";
  };
  show();
  setInterval(show, 1000);
}
