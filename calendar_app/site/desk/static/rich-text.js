// A bar of buttons over texts with markup. The text area stays what is sent; its HTML can be seen.
"use strict";

const MOST = 1 << 20; // characters; a longer text is shown as HTML alone
const SIGNS = {
  bold: "M7 5h6.5a3.5 3.5 0 0 1 0 7H7zM7 12h7.500a3.500 3.500 0 0 1 0 7H7z",
  italic: "M10 5h8M6 19h8M14.500 5l-5 14",
  heading: "M6 5v14M18 5v14M6 12h12",
  list: "M9 6h11M9 12h11M9 18h11M4.500 6h.01M4.500 12h.01M4.500 18h.01",
  numbers: "M10 6h10M10 12h10M10 18h10M4 5.500L5.500 4.500V9.500M4 14.800c.2-1.400 2.800-1.400 2.800.1 0 1.200-2.800 2-2.800 3.600h3",
  link: "M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1",
  undo: "M9 13.500L4.500 9 9 4.500M4.500 9H14a5.500 5.500 0 0 1 0 11h-3",
  source: "M8.500 7.500L4 12l4.500 4.500M15.500 7.500L20 12l-4.500 4.500",
};
const sign = (name) => {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of [["class", "icon"], ["viewBox", "0 0 24 24"], ["aria-hidden", "true"]]) drawing.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SIGNS[name]);
  drawing.append(path);
  return drawing;
};

// Spaces and line breaks in HTML that look alike.
const plainly = (html) => html.replace(/\u200b/g, "").replace(/\s+/g, " ");

for (const area of [...document.querySelectorAll("textarea.rich")].filter((each) => each.value.length < MOST)) {
  const names = JSON.parse(area.dataset.names);
  const label = document.querySelector(`label[for="${area.id}"]`);
  label.id ||= `${area.id}-label`;

  const surface = document.createElement("div");
  surface.className = "rich-surface prose";
  surface.lang = area.lang;
  for (const [name, value] of [["role", "textbox"], ["aria-multiline", "true"], ["aria-labelledby", label.id]]) {
    surface.setAttribute(name, value);
  }
  for (const name of ["aria-describedby", "aria-invalid"]) {
    if (area.hasAttribute(name)) surface.setAttribute(name, area.getAttribute(name));
  }
  const bar = document.createElement("div");
  bar.className = "rich-bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", names.bar);
  area.before(bar, surface);

  const editor = new Squire(surface, { blockTag: "P" });
  let isOwn = false;
  // The editor writes tags its own way: a text that looks as it did stays as it was written.
  let filled = { text: "", html: "" };
  const fill = () => {
    isOwn = true;
    editor.setHTML(area.value);
    isOwn = false;
    filled = { text: area.value, html: plainly(editor.getHTML()) };
  };
  const take = () => {
    if (isOwn) return;
    const html = editor.getHTML();
    if (plainly(html) === filled.html) area.value = filled.text;
    else area.value = surface.textContent.trim() || /<(img|iframe|hr|table)/.test(html) ? html : "";
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };
  fill();
  editor.addEventListener("input", take);
  surface.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/html") || event.clipboardData?.getData("text/plain") || "";
    if (pasted.length < MOST) return;
    // The browser would stand still over it as markup.
    event.preventDefault();
    event.stopImmediatePropagation();
    area.value += pasted;
    show(true);
    area.focus();
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }, true);

  const heading = () => {
    const tag = editor.hasFormat("H2") ? "p" : "h2";
    editor.modifyBlocks((blocks) => {
      for (const block of [...blocks.querySelectorAll("p, div, h2, h3")]) {
        const changed = document.createElement(tag);
        changed.append(...block.childNodes);
        block.replaceWith(changed);
      }
      return blocks;
    });
    editor.focus();
  };
  const toggle = (tag, on, off) => () => (editor.hasFormat(tag) ? off() : on());
  // The address of a link is written in a line below the buttons.
  const line = document.createElement("div");
  Object.assign(line, { className: "rich-link-line", hidden: true });
  const address = document.createElement("input");
  Object.assign(address, { type: "text", inputMode: "url", autocomplete: "off" });
  address.setAttribute("aria-label", names.address);
  address.placeholder = "https://";
  const done = document.createElement("button");
  Object.assign(done, { type: "button", className: "button-quiet", textContent: names.link });
  line.append(address, done);
  bar.after(line);
  const closeLine = () => {
    line.hidden = true;
    editor.focus();
  };
  const setLink = () => {
    const typed = address.value.trim();
    const whole = /^[\w.-]+\.[a-z]{2,}(\/|$)/i.test(typed) ? `https://${typed}` : typed;
    closeLine();
    if (/^(https?:|mailto:|tel:|\/)/i.test(whole)) editor.makeLink(whole);
  };
  done.addEventListener("click", setLink);
  address.addEventListener("keydown", (event) => {
    if (!["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") setLink();
    else closeLine();
  });
  address.addEventListener("input", (event) => event.stopPropagation());
  const link = () => {
    if (editor.hasFormat("A")) return editor.removeLink();
    address.value = "";
    line.hidden = false;
    address.focus();
  };
  surface.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    link();
  });
  const actions = [
    ["bold", "Ctrl+B", toggle("B", () => editor.bold(), () => editor.removeBold()), "B"],
    ["italic", "Ctrl+I", toggle("I", () => editor.italic(), () => editor.removeItalic()), "I"],
    ["heading", "", heading, "H2"],
    ["list", "", toggle("UL", () => editor.makeUnorderedList(), () => editor.removeList()), "UL"],
    ["numbers", "", toggle("OL", () => editor.makeOrderedList(), () => editor.removeList()), "OL"],
    ["link", "Ctrl+K", link, "A"],
    ["undo", "Ctrl+Z", () => editor.undo(), ""],
  ];
  for (const [name, keys, act, tag] of actions) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", title: keys ? `${names[name]} (${keys})` : names[name], className: `rich-${name}`, tabIndex: -1 });
    button.append(sign(name));
    button.setAttribute("aria-label", names[name]);
    if (tag) button.dataset.tag = tag;
    button.addEventListener("click", act);
    bar.append(button);
  }
  const source = document.createElement("button");
  Object.assign(source, { type: "button", title: "HTML", className: "rich-source", tabIndex: -1 });
  source.append(sign("source"));
  source.setAttribute("aria-label", "HTML");
  source.setAttribute("aria-pressed", "false");
  bar.append(source);
  // One stop of the Tab key; arrows lead from button to button.
  const buttons = [...bar.children];
  buttons[0].tabIndex = 0;
  const stop = (button) => {
    for (const each of buttons) each.tabIndex = each === button ? 0 : -1;
    button.focus();
  };
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const free = buttons.filter((each) => !each.disabled);
    const place = free.indexOf(document.activeElement);
    if (!step || place < 0) return;
    event.preventDefault();
    stop(free[(place + step + free.length) % free.length]);
  });

  const show = (asSource) => {
    area.hidden = !asSource;
    surface.hidden = asSource;
    source.setAttribute("aria-pressed", String(asSource));
    for (const button of buttons) button.disabled = asSource && button !== source;
    for (const button of buttons) button.tabIndex = button === (asSource ? source : buttons[0]) ? 0 : -1;
  };
  source.addEventListener("click", () => {
    const asSource = area.hidden || area.value.length >= MOST;
    if (!asSource) fill();
    show(asSource);
    (asSource ? area : surface).focus();
  });
  show(false);

  const mark = () => {
    for (const button of bar.querySelectorAll("[data-tag]")) {
      button.setAttribute("aria-pressed", String(editor.hasFormat(button.dataset.tag)));
    }
  };
  editor.addEventListener("pathChange", mark);
  editor.addEventListener("input", mark);
  label.addEventListener("click", () => (area.hidden ? surface.focus() : area.focus()));
  for (const wrong of document.querySelectorAll(`a[href="#${area.id}"]`)) {
    wrong.addEventListener("click", (event) => {
      event.preventDefault();
      (area.hidden ? surface : area).focus();
    });
  }
  area.addEventListener("refill", fill);
}
