// Selects all rows of a table at once.
for (const form of document.querySelectorAll("[data-several]")) {
  const rows = [...form.querySelectorAll('input[name="id"]')];
  const all = form.querySelector(".select-all");
  const box = all.querySelector("input");
  all.hidden = rows.length < 2;
  box.addEventListener("change", () => rows.forEach((row) => { row.checked = box.checked; }));
  form.addEventListener("change", () => {
    const selected = rows.filter((row) => row.checked).length;
    box.checked = selected === rows.length;
    box.indeterminate = selected > 0 && selected < rows.length;
  });
}
