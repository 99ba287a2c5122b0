// Adds to the form of events: readings while typing, and days chosen in a calendar.
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
// What is opened, and what the tab key reaches, is set here and not by the service.
const drawn = (part) => part.innerHTML.replaceAll(/ (open|tabindex)="[^"]*"/g, "").trim();
// What is typed beside a date, and the place where one types, outlast a new preview.
const redraw = (own, part) => {
  const focused = document.activeElement;
  const typed = [...own.querySelectorAll("input")].filter((input) => input === focused || input.value !== input.defaultValue);
  own.replaceChildren(...part.childNodes);
  for (const input of typed) {
    const next = own.querySelector(`[name="${CSS.escape(input.name)}"]`);
    if (!next) continue;
    next.value = input.value;
    next.closest("details")?.setAttribute("open", "");
    if (input === focused) next.focus({ preventScroll: true });
  }
};
const read = later(async (signal) => {
  const sent = new FormData(form);
  for (const name of [...sent.keys()]) {
    if (name === "image_file" || /(description|excerpt)\]?$/.test(name)) sent.delete(name);
  }
  // What is typed beside a date waits until it is pressed.
  for (const input of form.querySelectorAll("[data-date] [name]")) sent.delete(input.name);
  try {
    const answer = await fetch(form.dataset.reading, { method: "POST", body: sent, signal });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of page.querySelectorAll("[data-part]")) {
      const own = document.getElementById(part.dataset.part);
      // One date of a series has no controls of a rhythm.
      if (own && drawn(own) !== drawn(part)) redraw(own, part);
    }
  } catch {
    // Out of date; or without a connection, which is said when the form is saved.
  }
}, 350);
for (const place of ["when", "price"]) {
  document.getElementById(place).addEventListener("input", read);
}
// A new event may be there already, under its title or at its place.
if (document.getElementById("similar")) {
  for (const part of form.querySelectorAll("[name='title'], [name$='[title]'], #where")) part.addEventListener("input", read);
}

/* Days chosen in a calendar of the browser */
for (const name of ["start_date", "end_date", "repeat_until", "date"]) {
  const input = form.elements[name];
  if (!input || !HTMLInputElement.prototype.showPicker) continue;
  const picker = document.createElement("input");
  Object.assign(picker, { type: "date", tabIndex: -1, className: "day-picker" });
  picker.setAttribute("aria-hidden", "true");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "day-button", tabIndex: -1, textContent: "▾", title: form.dataset.choose });
  button.setAttribute("aria-label", form.dataset.choose);
  const frame = document.createElement("span");
  frame.className = "day-frame";
  const hasFocus = input.autofocus || input === document.activeElement;
  input.replaceWith(frame);
  frame.append(input, button, picker);
  // A control that is moved loses the focus.
  if (hasFocus) input.focus();
  button.addEventListener("click", () => picker.showPicker());
  // By keyboard the calendar opens as a list box does, so that the button is no stop of its own.
  input.addEventListener("keydown", (event) => {
    if (!event.altKey || event.key !== "ArrowDown") return;
    event.preventDefault();
    picker.showPicker();
  });
  picker.addEventListener("change", () => {
    if (!picker.value) return;
    const [year, month, day] = picker.value.split("-");
    input.value = document.documentElement.lang.startsWith("en") ? picker.value : `${day}.${month}.${year}`;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  });
}

/* What the drafts of the browser bring back */
form.addEventListener("restored", read);
