// What is more than a screen can hold: it is set smaller, then what can be read elsewhere gives way.

/** What gives way, in this order, and from which end: reasons, counters (their own pages show them), what happened first. */
const GIVES_WAY = [".why li", ".moved li", ".pools li", ".story li li", ".shelf li", ".odds li"];

/** Let nothing on the stage lie outside it. */
export function fit(stage) {
  const much = () => stage.scrollHeight > stage.clientHeight;
  for (const each of stage.querySelectorAll("[hidden]")) each.hidden = false;
  stage.classList.remove("tight");
  if (!much()) return;
  stage.classList.add("tight");
  for (const selector of GIVES_WAY) {
    const lines = [...stage.querySelectorAll(selector)];
    if (selector === ".story li li") lines.reverse(); // the newest stays
    while (lines.length > 1 && much()) lines.pop().hidden = true;
  }
}
