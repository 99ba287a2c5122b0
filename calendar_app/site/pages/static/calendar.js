// Makes pages quicker; each of them works without.
"use strict";

const find = (selector, scope = document) => scope.querySelector(selector);
const findAll = (selector, scope = document) => [...scope.querySelectorAll(selector)];

// Filters change the results without a new page; the address follows.
let latest = 0;

async function refresh(address, { push = true } = {}) {
  const turn = ++latest;
  const results = find("#results");
  results.setAttribute("aria-busy", "true");
  let text;
  try {
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    text = await response.text();
  } catch {
    location.assign(address);
    return;
  }
  if (turn !== latest) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!find("#results", page) || !find(".panel", page)) {
    location.assign(address);
    return;
  }
  const focused = document.activeElement;
  const [name, value] = [focused?.name, focused?.value];
  find(".filters", page).open = find(".filters").open;
  // What is being typed stays.
  if (focused?.id === "search") find("#search", page).value = value;
  for (const part of [".page-head", ".quick", ".panel", "#results"]) {
    find(part)?.replaceWith(find(part, page));
  }
  find(".problem")?.remove();
  const problem = find(".problem", page);
  if (problem) find(".with-filters").before(problem);
  find(".languages")?.replaceWith(find(".languages", page));
  document.title = page.title;
  if (push) history.pushState({}, "", address);
  start();
  const same = findAll(".panel input").find(
    (input) => input.name === name && (input.type !== "checkbox" || input.value === value));
  same?.focus({ preventScroll: true });
}

function addressOf(form) {
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form)) {
    if (value) address.searchParams.append(name, value);
  }
  return address.href;
}

function watchFilters() {
  const form = find(".filter-form");
  if (!form) return;
  form.addEventListener("change", (event) => {
    if (event.target.type === "checkbox") refresh(addressOf(form));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    refresh(addressOf(form));
  });
  for (const chip of findAll(".chip[href]", find("#results"))) {
    chip.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      refresh(chip.href);
    });
  }
}

// Titles are suggested while words are typed.
function suggest() {
  const input = find("[data-suggest]");
  if (!input) return;
  const list = document.createElement("datalist");
  list.id = "suggestions";
  input.after(list);
  input.setAttribute("list", list.id);
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    const words = input.value.trim();
    if (words.length < 3) return;
    timer = setTimeout(async () => {
      const address = new URL(input.dataset.suggest, location.href);
      address.search = new URLSearchParams({ search: words });
      const response = await fetch(address).catch(() => null);
      if (!response?.ok) return;
      list.replaceChildren(...(await response.json()).map((title) => {
        const option = document.createElement("option");
        option.value = title;
        return option;
      }));
    }, 200);
  });
}

// The reader's place is asked for only when the button is pressed.
function offerNear() {
  const offer = find("[data-near]");
  if (!offer || !navigator.geolocation) return;
  offer.hidden = false;
  find("button", offer).addEventListener("click", () => {
    const status = find("[role=status]", offer.closest(".quick"));
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      const address = new URL(addressOf(find(".filter-form")));
      // Within a kilometre; nobody's house is told.
      address.searchParams.set("geoloc_lat", coords.latitude.toFixed(2));
      address.searchParams.set("geoloc_lng", coords.longitude.toFixed(2));
      address.searchParams.set("orderby", "distance");
      location.assign(address.href);
    }, () => { status.textContent = status.dataset.failed; });
  });
}

function offerCopy() {
  for (const button of findAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copy);
      await navigator.clipboard.writeText(field.value).catch(() => field.select());
      button.textContent = button.dataset.done;
    });
  }
}

// The reader's own way to share a page; where there is none, its address is copied.
function offerShare() {
  for (const button of findAll("[data-share]")) {
    const { share: url, title, done } = button.dataset;
    if (!navigator.share && !navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        if (navigator.share) {
          await navigator.share({ title, url });
          return;
        }
      } catch (error) {
        // Whoever closes the sheet wants no copy either.
        if (error.name === "AbortError") return;
      }
      await navigator.clipboard?.writeText(url).then(() => {
        find("span", button).textContent = done;
      }, () => {});
    });
  }
}

function offerPrint() {
  for (const button of findAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}

// The files of a map are loaded once it is opened.
function offerMap() {
  for (const fold of findAll("details[data-files]")) {
    const load = async () => {
      if (!fold.open || !fold.dataset.files) return;
      const [style, ...scripts] = fold.dataset.files.split(" ");
      fold.dataset.files = "";
      document.head.append(Object.assign(document.createElement("link"), {
        rel: "stylesheet", href: style }));
      for (const src of scripts) {
        await new Promise((loaded) => {
          document.head.append(Object.assign(document.createElement("script"), {
            src, onload: loaded, onerror: loaded }));
        });
      }
    };
    fold.addEventListener("toggle", load);
    load();
  }
}

// The time in the reader's zone stands beside that of the event, where it differs.
function tellZone() {
  for (const note of findAll("[data-zone]")) {
    const languages = note.dataset.languages.split(" ");
    const [start, end] = [new Date(note.dataset.start), new Date(note.dataset.end)];
    const range = inLanguageOfPage(languages);
    let there;
    try {
      there = inLanguageOfPage(languages, note.dataset.zone);
    } catch {
      continue;
    }
    if (range(start, end) === there(start, end)) continue;
    const told = document.createElement("span");
    told.className = "own-zone";
    told.textContent = `${note.dataset.text} ${range(start, end)}`;
    note.after(told);
  }
}

// Browsers write dates in digits alone in a language that they do not know, such as Romansh: the
// words of the next language would stand in a text of this one.
function inLanguageOfPage(languages, timeZone) {
  if (Intl.DateTimeFormat.supportedLocalesOf(languages[0]).length) {
    const words = new Intl.DateTimeFormat(languages[0],
      { dateStyle: "medium", timeStyle: "short", timeZone });
    return (start, end) => words.formatRange(start, end);
  }
  const digits = new Intl.DateTimeFormat(languages,
    { day: "numeric", month: "numeric", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone });
  return (start, end) => `${digits.format(start)} – ${digits.format(end)}`;
}

// A frame tells the page around it how high its content is, and its title.
function tellHeight() {
  if (window.parent === window) return;
  const root = document.documentElement;
  // A scroll height is never less than the frame's own: the frame would never become lower.
  const tell = () => window.parent.postMessage(
    { calendarHeight: root.getBoundingClientRect().height, calendarTitle: document.title }, "*");
  new ResizeObserver(tell).observe(root);
}

// The views are one row on a phone, and the chosen one is in sight.
function showChosenView() {
  const row = document.querySelector(".views ul");
  const chosen = row?.querySelector("[aria-current]");
  if (chosen) row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.clientWidth) / 2;
}

function start() {
  watchFilters();
  suggest();
  offerNear();
  offerCopy();
  offerPrint();
}

start();
showChosenView();
offerShare();
offerMap();
tellZone();
tellHeight();
addEventListener("popstate", () => {
  if (find("#results")) refresh(location.href, { push: false });
});
