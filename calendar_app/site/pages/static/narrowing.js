// Narrows a long list of choices to what is typed above it; Enter takes the first one.
"use strict";

(() => {
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

  const enhance = (field) => {
    const input = field.querySelector("input");
    const status = field.querySelector("[role=status]");
    const list = document.getElementById(field.dataset.narrows);
    const choices = [...list.children].map((item, place) => {
      const label = item.textContent.trim();
      return { item, place, label, box: item.querySelector("input"), text: fold(label) };
    });

    // What begins with the typed text comes first, then what has it inside.
    const rank = ({ text }, typed) => (text.startsWith(typed) ? 0 : text.includes(typed) ? 1 : 2);
    const fitting = () => {
      const typed = fold(input.value);
      return choices
        .map((choice) => ({ ...choice, rank: rank(choice, typed) }))
        .sort((one, other) => one.rank - other.rank || one.place - other.place);
    };
    const tell = (ordered) => {
      const chosen = choices.filter(({ box }) => box.checked).map(({ label }) => label);
      const isFound = ordered.some((each) => each.rank < 2);
      const taken = chosen.length ? `${status.dataset.chosen} ${chosen.join(", ")}` : "";
      status.textContent = isFound ? taken : status.dataset.none;
    };
    const narrow = () => {
      const ordered = fitting();
      for (const { item, box, rank: own } of ordered) item.hidden = own > 1 && !box.checked;
      list.append(...ordered.map(({ item }) => item));
      tell(ordered);
    };
    const empty = () => {
      input.value = "";
      narrow();
    };

    input.addEventListener("input", narrow);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && input.value) empty();
      if (event.key !== "Enter") return;
      event.preventDefault(); // Enter sends no form that is half filled in.
      const first = fitting().find((each) => each.rank < 2 && !each.box.checked);
      if (!first || !fold(input.value)) return;
      first.box.checked = true;
      first.box.dispatchEvent(new Event("change", { bubbles: true }));
      empty();
    });
    list.addEventListener("change", () => tell(fitting()));
    field.hidden = false;
    narrow();
  };

  for (const field of document.querySelectorAll("[data-narrows]")) enhance(field);
})();
