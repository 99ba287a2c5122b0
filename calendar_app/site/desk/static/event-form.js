// Adds to the form of events: suggestions, readings while typing, drafts that survive anything.
"use strict";

const form = document.getElementById("event-form");
// Works once nothing has been typed for a moment. What was asked before gets a signal that its
// answer is out of date.
const later = (work, delay) => {
  let timer;
  let asked;
  const cancel = () => {
    clearTimeout(timer);
    asked?.abort();
  };
  const start = () => {
    cancel();
    timer = setTimeout(() => {
      asked = new AbortController();
      work(asked.signal);
    }, delay);
  };
  return Object.assign(start, { cancel });
};
form.classList.add("has-scripts");

/* How dates and price are read */
// An opened line is the same; drawn anew, it would lose what is typed in it.
const drawn = (part) => part.innerHTML.replaceAll(' open=""', "").trim();
const read = later(async (signal) => {
  const sent = new FormData(form);
  for (const name of [...sent.keys()]) {
    if (name === "image_file" || /(description|excerpt)\]?$/.test(name)) sent.delete(name);
  }
  try {
    const answer = await fetch(form.dataset.reading, { method: "POST", body: sent, signal });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of page.querySelectorAll("[data-part]")) {
      const own = document.getElementById(part.dataset.part);
      // One date of a series has no controls of a rhythm.
      if (own && drawn(own) !== drawn(part)) own.replaceChildren(...part.childNodes);
    }
  } catch {
    // Out of date; or without a connection, which is said when the form is saved.
  }
}, 350);
for (const place of ["when", "price"]) {
  document.getElementById(place).addEventListener("input", read);
}

/* Venues and organizers */
const link = (box, id, label) => {
  const chosen = box.querySelector(".chosen");
  if ([...chosen.querySelectorAll("input")].some((each) => each.value === id)) return;
  const item = document.createElement("li");
  item.innerHTML = '<label class="chip-check"><input type="checkbox"> <span></span></label>';
  const input = item.querySelector("input");
  Object.assign(input, { name: box.dataset.kind, value: id, checked: true });
  item.querySelector("span").textContent = label;
  chosen.append(item);
};
for (const box of document.querySelectorAll(".links")) {
  const input = box.querySelector("input[list]");
  const list = box.querySelector("datalist");
  const ids = new Map();
  const suggest = later(async (signal) => {
    const query = new URLSearchParams({ kind: box.dataset.kind, text: input.value });
    try {
      const answer = await fetch(`${form.dataset.suggestions}?${query}`, { signal });
      if (!answer.ok || answer.redirected) return;
      const options = [];
      for (const { id, label } of await answer.json()) {
        ids.set(label, String(id));
        const option = document.createElement("option");
        option.value = label;
        options.push(option);
      }
      list.replaceChildren(...options);
      choose();
    } catch {
      // Out of date; or the name is looked up when the form is saved.
    }
  }, 200);
  const choose = () => {
    const id = ids.get(input.value);
    if (!id) return;
    link(box, id, input.value);
    input.value = "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  input.addEventListener("input", () => {
    choose();
    if (input.value) suggest();
  });
}

/* Days chosen in a calendar of the browser */
for (const name of ["start_date", "end_date", "repeat_until", "date"]) {
  const input = form.elements[name];
  if (!input || !HTMLInputElement.prototype.showPicker) continue;
  const picker = document.createElement("input");
  Object.assign(picker, { type: "date", tabIndex: -1, className: "day-picker" });
  picker.setAttribute("aria-hidden", "true");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "day-button", textContent: "▾", title: form.dataset.choose });
  button.setAttribute("aria-label", form.dataset.choose);
  const frame = document.createElement("span");
  frame.className = "day-frame";
  const hasFocus = input.autofocus || input === document.activeElement;
  input.replaceWith(frame);
  frame.append(input, button, picker);
  // A control that is moved loses the focus.
  if (hasFocus) input.focus();
  button.addEventListener("click", () => picker.showPicker());
  picker.addEventListener("change", () => {
    if (!picker.value) return;
    const [year, month, day] = picker.value.split("-");
    input.value = document.documentElement.lang.startsWith("en") ? picker.value : `${day}.${month}.${year}`;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  });
}

/* What the drafts of the browser bring back */
form.addEventListener("restore-link", ({ detail: { name, id, label } }) => {
  const box = form.querySelector(`.links[data-kind="${CSS.escape(name)}"]`);
  if (box) link(box, id, label);
});
form.addEventListener("restored", read);
