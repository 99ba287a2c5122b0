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
  for (const name of [...sent.keys()]) {
    if (name === "image_file" || /(description|excerpt)\]?$/.test(name)) sent.delete(name);
  }
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
const { language, unsaved } = form.dataset;
const state = form.querySelector(".draft-state");
const isKept = (each) =>
  each.name &&
  ("kept" in each.dataset || !["hidden", "submit", "file", "password"].includes(each.type)) &&
  !/^(keep_|image_pick$|picture_)/.test(each.name);
// Texts of the first language have bare names; another address may put another language first.
const worded = new Set(
  [...form.querySelectorAll(".pane.is-first [name]")].map((each) => each.name).filter((name) => !name.includes("[")),
);
worded.add("custom_fields");
const whole = (name, first) => (worded.has(name) ? `variants[${first}][${name}]` : name);
const own = (name) => (name.startsWith(`variants[${language}][`) ? name.slice(name.lastIndexOf("[") + 1, -1) : name);

const collect = () =>
  [...form.elements].filter(isKept).map((each) =>
    ["checkbox", "radio"].includes(each.type)
      ? { name: whole(each.name, language), value: each.value, checked: each.checked, label: each.nextElementSibling?.textContent ?? "" }
      : { name: whole(each.name, language), value: each.value },
  );
const byName = (fields) => JSON.stringify([...fields].sort((a, b) => a.name.localeCompare(b.name)));
const saved = byName(collect());
const hasChanges = () => byName(collect()) !== saved || Boolean(unsaved);
const put = (name, text) => {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // A text larger than the store: the form itself still has it.
  }
};
const store = () => {
  // Which state it began with tells own changes from those of others.
  const { revision, base } = form.elements;
  const digests = Object.fromEntries(Object.entries(JSON.parse(base.value)).map(([name, digest]) => [whole(name, language), digest]));
  put(key, JSON.stringify({ revision: revision.value, base: digests, fields: collect() }));
};
const tell = () => {
  state.classList.remove("is-offline");
  state.textContent = hasChanges() ? form.dataset.changed : "";
  form.classList.toggle("is-changed", hasChanges());
};
const keep = later(() => {
  if (hasChanges()) store();
  tell();
}, 250);
const restore = (fields) => {
  const seen = new Map();
  for (const field of fields) {
    const name = own(field.name);
    const place = seen.get(name) ?? 0;
    seen.set(name, place + 1);
    const controls = [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)].filter(isKept);
    if (!("checked" in field)) {
      if (controls[place]) controls[place].value = field.value;
      continue;
    }
    const fitting = controls.find((each) => each.value === field.value);
    const box = form.querySelector(`.links[data-kind="${CSS.escape(name)}"]`);
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
const draft = JSON.parse(sessionStorage.getItem(key) ?? "null");
if (unsaved) store();
else if (draft && byName(draft.fields) !== saved) {
  restore(draft.fields);
  form.elements.revision.value = draft.revision;
  const digests = Object.entries(draft.base).map(([name, digest]) => [own(name), digest]);
  form.elements.base.value = JSON.stringify(Object.fromEntries(digests));
  form.dataset.unsaved = "yes";
  offer();
  read();
}
tell();
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
  store();
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
