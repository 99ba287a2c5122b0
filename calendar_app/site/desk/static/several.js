// Shows what can be done with the rows of a table as soon as one is chosen.
"use strict";

for (const form of document.querySelectorAll("[data-several]")) {
  const rows = [...form.querySelectorAll('input[name="id"]')];
  const page = form.querySelector(".select-page input");
  const bar = form.querySelector(".several");
  const all = bar.querySelector('[name="all"]');
  const count = bar.querySelector(".several-count");
  const none = bar.querySelector(".several-none");
  const action = bar.querySelector('[name="action"]');
  const show = () => {
    const chosen = rows.filter((row) => row.checked).length;
    const isWhole = rows.length > 0 && chosen === rows.length;
    page.checked = isWhole;
    page.indeterminate = chosen > 0 && !isWhole;
    bar.hidden = chosen === 0;
    if (all && !isWhole) all.checked = false;
    if (all) all.parentElement.hidden = !isWhole;
    count.textContent = chosen === 1 ? count.dataset.one : count.dataset.many.replace("{number}", chosen);
    // The number of all stands beside its own box.
    count.hidden = Boolean(all?.checked);
    for (const field of bar.querySelectorAll("[data-for]")) field.hidden = field.dataset.for !== action.value;
  };
  const choose = (value) => {
    for (const row of rows) row.checked = value;
    show();
  };
  page.hidden = rows.length === 0;
  none.hidden = false;
  bar.classList.add("is-bar");
  page.addEventListener("change", () => choose(page.checked));
  none.addEventListener("click", () => choose(false));
  form.addEventListener("change", show);
  // The browser keeps what was chosen when one comes back.
  addEventListener("pageshow", show);
  show();
}
