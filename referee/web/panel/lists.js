// A list to be searched: a row stays that has every word, and a heading that has such a row.

const words = document.getElementById("words");
const sections = [...document.querySelectorAll("section")];
const all = sections.map((section) => [section, section.querySelector("h2").textContent, [...section.querySelectorAll("tr")]]);

const total = all.reduce((sum, [, , rows]) => sum + rows.length, 0);

function look() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const [section, heading, rows] of all) {
    let shown = 0;
    for (const row of rows) {
      const text = `${heading} ${[...row.cells].map((cell) => cell.textContent).join(" ")}`.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    section.hidden = shown === 0;
    found += shown;
  }
  document.getElementById("found").textContent = found ? `${found} of ${total}` : total ? "Nothing found." : "No whole game yet.";
}

words.addEventListener("input", look);
look();
