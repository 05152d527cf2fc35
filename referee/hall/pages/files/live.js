// A page that shows what has changed: it loads itself again, unless somebody is filling in a form.

const news = document.getElementById("news");
const source = new EventSource("/news");
let filling = false;

document.addEventListener("input", () => { filling = true; });
document.addEventListener("submit", () => source.close());
source.addEventListener("message", () => {
  if (filling && news) {
    news.hidden = false;
  } else {
    // Not all at the same moment: a room full of phones hears of it at once.
    setTimeout(() => location.reload(), news ? 0 : Math.random() * 2000);
  }
});

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
