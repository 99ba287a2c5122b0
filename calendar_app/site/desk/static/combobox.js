// Text fields with a list box: what is typed is found by the server, or among the options of a select.
// The pattern is https://www.w3.org/WAI/ARIA/apg/patterns/combobox/, with the list alone.
"use strict";

(() => {
  const DELAY = 150;
  let boxes = 0;

  // Gives an input its list. `find` returns options for a text, each with a name and perhaps a
  // place; `choose` takes one of them. One that `mustChoose` takes the first, and opens at a press.
  const combine = (input, { find, choose, messages, mustChoose }) => {
    const frame = document.createElement("span");
    frame.className = "combo";
    const list = document.createElement("ul");
    list.id = `listbox-${++boxes}`;
    list.className = "combo-list";
    list.hidden = true;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", input.labels[0]?.textContent.trim() ?? "");
    const status = document.createElement("span");
    status.className = "hidden";
    status.setAttribute("role", "status");
    const hasFocus = input.autofocus || input === document.activeElement;
    input.replaceWith(frame);
    frame.append(input, list, status);
    // A control that is moved loses the focus.
    if (hasFocus) input.focus();
    input.removeAttribute("list");
    for (const [name, value] of Object.entries({
      role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id,
    })) input.setAttribute(name, value);

    let options = [];
    let active = -1;
    let timer;
    let asked;

    const mark = (place) => {
      active = place;
      [...list.children].forEach((item, number) => item.setAttribute("aria-selected", String(number === place)));
      const item = list.children[place];
      if (item) {
        input.setAttribute("aria-activedescendant", item.id);
        item.scrollIntoView({ block: "nearest" });
      } else input.removeAttribute("aria-activedescendant");
    };
    const close = () => {
      clearTimeout(timer);
      asked?.abort();
      list.hidden = true;
      status.textContent = "";
      input.setAttribute("aria-expanded", "false");
      mark(-1);
    };
    const take = (place) => {
      const option = options[place];
      close();
      choose(option);
    };
    const show = (found, place) => {
      options = found;
      list.replaceChildren(...found.map((option, number) => {
        const item = document.createElement("li");
        item.id = `${list.id}-${number}`;
        item.setAttribute("role", "option");
        item.append(option.name);
        if (option.place) {
          const where = document.createElement("span");
          where.className = "combo-place";
          where.textContent = option.place;
          item.append(" ", where);
        }
        // The field keeps the focus.
        item.addEventListener("mousedown", (event) => event.preventDefault());
        item.addEventListener("click", () => take(number));
        return item;
      }));
      list.hidden = found.length === 0;
      input.setAttribute("aria-expanded", String(found.length > 0));
      status.textContent = found.length === 1 ? messages.one : found.length ? messages.many.replace("{number}", found.length) : messages.none;
      if (found.length) list.scrollIntoView({ block: "nearest" });
      mark(found.length ? place : -1);
    };
    const open = async (text = input.value, place = mustChoose && text.trim() ? 0 : -1) => {
      clearTimeout(timer);
      asked?.abort();
      asked = new AbortController();
      const { signal } = asked;
      try {
        const found = await find(text, signal);
        if (!signal.aborted && document.activeElement === input) show(found, place < 0 ? -1 : place === Infinity ? found.length - 1 : 0);
      } catch {
        // Out of date; or the name is looked up when the form is saved.
      }
    };

    input.addEventListener("input", () => {
      clearTimeout(timer);
      if (mustChoose) open();
      else if (input.value.trim()) timer = setTimeout(() => open(), DELAY);
      else close();
    });
    input.addEventListener("keydown", (event) => {
      const isOpen = !list.hidden;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && event.altKey) {
        event.preventDefault();
        if (step > 0) open(mustChoose ? "" : input.value);
        else close();
      } else if (step) {
        event.preventDefault();
        const last = options.length - 1;
        if (!isOpen) open(mustChoose ? "" : input.value, step > 0 ? 0 : Infinity);
        else if (active < 0) mark(step > 0 ? 0 : last);
        else mark(active + step < 0 || active + step > last ? -1 : active + step);
      } else if (event.key === "Enter" && isOpen && active >= 0) {
        event.preventDefault();
        take(active);
      } else if (event.key === "Escape" && isOpen) {
        event.preventDefault();
        event.stopPropagation();
        close();
      }
    });
    input.addEventListener("blur", () => {
      if (mustChoose && active >= 0 && input.value.trim()) take(active);
      else close();
    });
    if (mustChoose) input.addEventListener("click", () => open(""));
  };

  /* Records that are linked: each that is chosen becomes a box with a tick */
  const link = (box, id, label, isNew = true) => {
    const name = box.dataset.kind;
    const own = [...box.closest("form").querySelectorAll(`input[name="${CSS.escape(name)}"]`)];
    let input = own.find((each) => each.value === id);
    if (!input) {
      const item = document.createElement("li");
      item.innerHTML = '<label class="chip-check"><input type="checkbox"> <span></span></label>';
      input = item.querySelector("input");
      Object.assign(input, { name, value: id });
      item.querySelector("span").textContent = label;
      box.querySelector(".chosen").append(item);
    }
    if ("single" in box.dataset) for (const each of own) each.checked = false;
    input.checked = true;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    if (isNew) input.closest("label").scrollIntoView({ block: "nearest" });
  };
  for (const box of document.querySelectorAll(".links")) {
    box.hidden = false;
    const input = box.querySelector("input[type='text']");
    // Of several names with commas between them, the last one is sought.
    const parted = (text) => ("separated" in box.dataset ? text.split(",") : [text]);
    const find = async (text, signal) => {
      const query = new URLSearchParams({ kind: box.dataset.kind, text: parted(text).at(-1).trim() });
      const answer = await fetch(`${box.dataset.suggestions}?${query}`, { signal });
      return answer.ok && !answer.redirected ? answer.json() : [];
    };
    const choose = ({ id, label }) => {
      link(box, String(id), label);
      input.value = parted(input.value).slice(0, -1).map((name) => `${name.trim()}, `).join("");
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.focus();
    };
    combine(input, { find, choose, messages: box.dataset });
    /* What the drafts of the browser bring back */
    box.closest("form").addEventListener("restore-link", ({ detail }) => {
      if (detail.name === box.dataset.kind) link(box, detail.id, detail.label, false);
    });
  }

  /* A select of many options */
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const rank = (name, text) => {
    const at = name.indexOf(text);
    if (at < 1) return at < 0 ? 3 : 0;
    return /[^\p{L}\p{N}]/u.test(name[at - 1]) ? 1 : 2;
  };
  for (const select of document.querySelectorAll("select[data-find]")) {
    const input = document.createElement("input");
    const present = () => select.selectedOptions[0]?.textContent.trim() ?? "";
    Object.assign(input, { type: "text", id: select.id, autocomplete: "off", value: present() });
    if (select.hasAttribute("aria-describedby")) input.setAttribute("aria-describedby", select.getAttribute("aria-describedby"));
    select.removeAttribute("id");
    select.hidden = true;
    select.after(input);
    const all = [...select.options].map((option) => ({ name: option.textContent.trim(), value: option.value }));
    const find = (text) => {
      const sought = folded(text.trim());
      return all.map((option) => [rank(folded(option.name).replace(/^[–\s]+/, ""), sought), option])
        .filter(([group]) => group < 3).sort(([first], [second]) => first - second).map(([, option]) => option);
    };
    const choose = ({ value }) => {
      select.value = value;
      input.value = present();
      select.dispatchEvent(new Event("change", { bubbles: true }));
    };
    combine(input, { find, choose, messages: select.dataset, mustChoose: true });
    input.addEventListener("focus", () => input.select());
    input.addEventListener("blur", () => {
      if (!input.value.trim() && all[0]?.value === "") select.value = "";
      input.value = present();
    });
  }
})();
