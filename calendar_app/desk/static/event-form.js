// Adds to the form of events: suggestions, readings while typing, drafts that survive anything.
"use strict";

const form = document.getElementById("event-form");
const later = (work, delay) => {
  let timer;
  const start = () => {
    clearTimeout(timer);
    timer = setTimeout(work, delay);
  };
  start.cancel = () => clearTimeout(timer);
  return start;
};
form.classList.add("has-scripts");

/* How dates and price are read */
const read = later(async () => {
  const sent = new FormData(form);
  for (const name of ["image_file", "description", "excerpt"]) sent.delete(name);
  try {
    const answer = await fetch(form.dataset.reading, { method: "POST", body: sent });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of page.querySelectorAll("[data-part]")) {
      const own = document.getElementById(part.dataset.part);
      if (own.innerHTML.trim() !== part.innerHTML.trim()) own.replaceChildren(...part.childNodes);
    }
  } catch {
    // Without a connection it is said when the form is saved.
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
  const suggest = later(async () => {
    const query = new URLSearchParams({ kind: box.dataset.kind, text: input.value });
    try {
      const answer = await fetch(`${form.dataset.suggestions}?${query}`);
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
      // The name is looked up when the form is saved.
    }
  }, 200);
  const choose = () => {
    const id = ids.get(input.value);
    if (!id) return;
    link(box, id, input.value);
    input.value = "";
    keep();
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
    input.value = document.documentElement.lang === "en" ? picker.value : `${day}.${month}.${year}`;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  });
}

/* Drafts: what was typed is kept in the browser until it is saved */
const SENT = "desk-sent";
const key = "desk-draft:" + location.pathname;
const { language, switched, unsaved } = form.dataset;
const state = form.querySelector(".draft-state");
const isKept = (each) =>
  each.name && !["hidden", "submit", "file", "password"].includes(each.type) && !/^(keep_|image_pick$|picture_)/.test(each.name);

const collect = () =>
  [...form.elements].filter(isKept).map((each) =>
    ["checkbox", "radio"].includes(each.type)
      ? { name: each.name, value: each.value, checked: each.checked, label: each.nextElementSibling?.textContent ?? "" }
      : { name: each.name, value: each.value },
  );
const saved = JSON.stringify(collect());
const put = (name, text) => {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // A text larger than the store: the form itself still has it.
  }
};
const store = () => {
  // Which state it began with tells own changes from those of others.
  const { revision, base, others } = form.elements;
  const begun = { revision: revision.value, base: base.value, others: others.value };
  put(key, JSON.stringify({ ...begun, language, fields: collect() }));
};
const keep = later(() => {
  if (JSON.stringify(collect()) !== saved || unsaved) store();
}, 250);
const restore = (fields) => {
  const seen = new Map();
  for (const field of fields) {
    const place = seen.get(field.name) ?? 0;
    seen.set(field.name, place + 1);
    const own = [...form.querySelectorAll(`[name="${CSS.escape(field.name)}"]`)].filter(isKept);
    if (!("checked" in field)) {
      if (own[place]) own[place].value = field.value;
      continue;
    }
    const fitting = own.find((each) => each.value === field.value);
    const box = form.querySelector(`.links[data-kind="${CSS.escape(field.name)}"]`);
    if (fitting) fitting.checked = field.checked;
    else if (box && field.checked) link(box, field.value, field.label);
  }
  for (const area of form.querySelectorAll("textarea.rich")) area.dispatchEvent(new Event("refill"));
};
const offer = () => {
  const notice = document.createElement("p");
  notice.className = "notice notice-warning";
  notice.setAttribute("role", "status");
  notice.append(`${form.dataset.restored} `);
  const discard = document.createElement("button");
  Object.assign(discard, { type: "button", className: "button-quiet", textContent: form.dataset.discard });
  discard.addEventListener("click", () => {
    sessionStorage.removeItem(key);
    dispatchEvent(new Event("leave"));
    location.reload();
  });
  notice.append(discard);
  form.before(notice);
};
if (document.querySelector(".notice-done")) {
  sessionStorage.removeItem(sessionStorage.getItem(SENT));
  sessionStorage.removeItem(SENT);
}
// The page has all that was typed before the language was changed.
if (switched && !unsaved) sessionStorage.removeItem(key);
const draft = JSON.parse(sessionStorage.getItem(key) ?? "null");
// At once: who looks at a language and leaves comes back to that language.
if (unsaved) store();
else if (draft && draft.language !== language) {
  // A record has one draft, whatever the language; it waits where the site has that no more.
  const query = new URLSearchParams(location.search);
  const isThere = !draft.language || query.get(form.dataset.parameter) === draft.language;
  query.set(form.dataset.parameter, draft.language);
  if (!isThere) location.replace(`${location.pathname}?${query}`);
} else if (draft && (JSON.stringify(draft.fields) !== saved || draft.others !== form.elements.others.value)) {
  restore(draft.fields);
  for (const name of ["revision", "base", "others"]) form.elements[name].value = draft[name];
  form.dataset.unsaved = "yes";
  offer();
  read();
}
form.addEventListener("input", keep);

/* A lost connection is noticed before anything is sent */
let isAlive = false;
form.addEventListener("submit", async (event) => {
  if (isAlive || event.submitter?.value === "preview") return;
  event.preventDefault();
  const { submitter } = event;
  try {
    await fetch(form.dataset.alive, { method: "HEAD", cache: "no-store" });
  } catch {
    state.textContent = form.dataset.offline;
    state.classList.add("is-offline");
    return;
  }
  // Nothing is typed, and no draft kept, while the form is on its way.
  keep.cancel();
  if (submitter?.value !== "language" || unsaved || JSON.stringify(collect()) !== saved) store();
  put(SENT, key);
  isAlive = true;
  form.requestSubmit(submitter);
  form.inert = true;
  setTimeout(release, 5000);
});
const release = () => {
  isAlive = false;
  form.inert = false;
};
addEventListener("pageshow", release);
