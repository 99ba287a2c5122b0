// A bar of buttons over texts with markup. The text area stays what is sent; its HTML can be seen.
"use strict";

const MOST = 1 << 20; // characters; a longer text is shown as HTML alone

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
  const fill = () => {
    isOwn = true;
    editor.setHTML(area.value);
    isOwn = false;
  };
  const take = () => {
    if (isOwn) return;
    const html = editor.getHTML();
    area.value = surface.textContent.trim() || /<(img|iframe|hr|table)/.test(html) ? html : "";
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
  const link = () => {
    if (editor.hasFormat("A")) return editor.removeLink();
    const address = window.prompt(names.address, "https://");
    if (address && /^(https?:|mailto:|tel:|\/)/i.test(address.trim())) editor.makeLink(address.trim());
    editor.focus();
  };
  const actions = [
    ["bold", "B", toggle("B", () => editor.bold(), () => editor.removeBold()), "B"],
    ["italic", "I", toggle("I", () => editor.italic(), () => editor.removeItalic()), "I"],
    ["heading", "H", heading, "H2"],
    ["list", "•", toggle("UL", () => editor.makeUnorderedList(), () => editor.removeList()), "UL"],
    ["numbers", "①", toggle("OL", () => editor.makeOrderedList(), () => editor.removeList()), "OL"],
    ["link", "↗", link, "A"],
    ["undo", "↶", () => editor.undo(), ""],
  ];
  for (const [name, sign, act, tag] of actions) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: sign, title: names[name], className: `rich-${name}` });
    button.setAttribute("aria-label", names[name]);
    if (tag) button.dataset.tag = tag;
    button.addEventListener("click", act);
    bar.append(button);
  }
  const source = document.createElement("button");
  Object.assign(source, { type: "button", textContent: "HTML", className: "rich-source" });
  source.setAttribute("aria-pressed", "false");
  bar.append(source);

  const show = (asSource) => {
    area.hidden = !asSource;
    surface.hidden = asSource;
    source.setAttribute("aria-pressed", String(asSource));
    for (const button of bar.querySelectorAll("button:not(.rich-source)")) button.disabled = asSource;
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
