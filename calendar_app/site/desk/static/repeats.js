// Dates of the preview are pressed without a new page; what a press says stands in the form.
// Beside event-form.js, whose `read` and `redraw` show the preview anew.
"use strict";

(() => {
  const form = document.getElementById("event-form");
  const reading = document.getElementById("reading");
  const status = document.getElementById("dates-status");
  const place = (date) => reading.querySelector(`[data-date="${CSS.escape(date)}"]`);

  const taken = new Set();

  const take = (page) => {
    for (const text of page.querySelectorAll("[data-control]")) {
      const own = form.elements[text.dataset.control];
      if (!own) continue;
      own.value = text.value;
      taken.add(own);
    }
    const list = reading.querySelector(".reading-dates");
    const scrolled = list ? list.scrollTop : 0;
    redraw(reading, page.querySelector('[data-part="reading"]'));
    reading.querySelector(".reading-dates").scrollTop = scrolled;
  };
  const press = async (value, date, sent) => {
    // What was asked before the press would come back without it.
    read.cancel();
    // The presses before this one have been answered meanwhile.
    for (const own of taken) sent.set(own.name, own.value);
    try {
      const answer = await fetch(form.dataset.reading, { method: "POST", body: sent });
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
      take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // Without a connection the whole form goes the way that it goes without scripts.
      form.requestSubmit(reading.querySelector(`[data-press][value="${CSS.escape(value)}"]`));
      return;
    }
    const row = place(date);
    // Who types beside another date meanwhile goes on there.
    if (document.activeElement === document.body) row?.querySelector("button, summary")?.focus({ preventScroll: true });
    status.textContent = row?.querySelector(".date-said")?.textContent.replace(/\s+/g, " ") ?? "";
    // The draft keeps it too.
    form.dispatchEvent(new Event("input"));
    read();
  };
  // Presses wait for one another, each with what is typed beside its date now.
  let turn = Promise.resolve();
  reading.addEventListener("click", (event) => {
    const button = event.target.closest("[data-press]");
    if (!button) return;
    event.preventDefault();
    const { date } = button.closest("[data-date]").dataset;
    const sent = new FormData(form, button);
    for (const name of ["image_file", "description", "excerpt"]) sent.delete(name);
    turn = turn.then(() => press(button.value, date, sent));
  });
  // The list is one stop of the tab key; arrows go from date to date.
  const rows = () => [...reading.querySelectorAll("[data-date]")];
  const reach = (chosen) => {
    for (const row of rows()) {
      for (const control of row.querySelectorAll("button, summary")) control.tabIndex = row === chosen ? 0 : -1;
    }
  };
  const reachOne = () => {
    const list = rows();
    if (list.length) reach(list.find((row) => row.contains(document.activeElement)) ?? list[0]);
  };
  new MutationObserver(reachOne).observe(reading, { childList: true, subtree: true });
  reachOne();
  reading.addEventListener("focusin", ({ target }) => {
    const row = target.closest("[data-date]");
    if (row) reach(row);
  });
  reading.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest("[data-date]");
    if (!step || !row || event.target.matches("input")) return;
    const list = rows();
    const next = list[list.indexOf(row) + step];
    if (!next) return;
    event.preventDefault();
    reach(next);
    next.querySelector("button, summary").focus();
  });
  // What is typed beside a date is no change of the form until it is pressed.
  reading.addEventListener("input", (event) => event.stopPropagation());
  reading.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    event.target.closest("div").querySelector("[data-press]").click();
  });

  /* The end is a day or a number */
  const ends = ["repeat_until", "repeat_count"].map((name) => form.elements[name]).filter(Boolean);
  ends.forEach((end, number) =>
    end.addEventListener("input", () => {
      if (end.value) ends[1 - number].value = "";
    }),
  );

  /* Days of one's choice are written below */
  form.elements.repeat?.addEventListener("change", ({ target }) => {
    if (target.value === "dates") form.querySelector(".repeat-lines").open = true;
  });

  /* The weekday of the start belongs to those that are chosen */
  const days = [...form.querySelectorAll("[name='repeat_days']")];
  for (const day of days) {
    day.addEventListener("change", () => {
      const start = document.querySelector("#repeat-start i")?.className.slice(-2);
      const isFirst = day.checked && days.filter((each) => each.checked).length === 1;
      const own = days.find((each) => each.value === start);
      if (isFirst && own) own.checked = true;
    });
  }
})();
