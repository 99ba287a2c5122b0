// The lists of the chips: arrow keys go through one, and what is typed above a long one narrows it.
"use strict";

(() => {
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

  for (const menu of document.querySelectorAll(".filter-menu")) {
    const items = [...menu.querySelectorAll(".filter-choices > li")];
    const visible = () => items.filter((item) => !item.hidden).map((item) => item.firstElementChild);
    const narrow = menu.querySelector(".filter-narrow");
    const input = narrow?.querySelector("input");

    if (narrow) {
      narrow.hidden = false;
      const texts = new Map(items.map((item) => [item, fold(item.textContent)]));
      input.addEventListener("input", () => {
        const typed = fold(input.value);
        for (const item of items) item.hidden = !texts.get(item).includes(typed);
      });
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault();
        if (fold(input.value)) visible()[0]?.click();
      });
    }
    menu.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || (event.target.matches("input") && event.target !== input)) return;
      event.preventDefault();
      const all = visible();
      const place = all.indexOf(document.activeElement);
      const next = place < 0 ? (step > 0 ? 0 : all.length - 1) : place + step;
      if (next < 0 && input) input.focus();
      else all[Math.min(Math.max(next, 0), all.length - 1)]?.focus();
    });
    // One that has no field to type in begins with what is chosen.
    menu.addEventListener("toggle", (event) => {
      if (event.newState !== "open" || input) return;
      (menu.querySelector(".filter-choices [aria-current]") ?? visible()[0])?.focus();
    });
  }
})();
