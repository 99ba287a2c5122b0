// Keys for a table, only while it has the focus: j and k go through the rows, x chooses, e opens.
"use strict";

(() => {
  const KEPT = "desk.table-keys";
  const table = document.querySelector("table[data-keys]");
  const dialog = document.querySelector("#table-keys");
  const opener = document.querySelector("[data-opens=table-keys]");
  if (!table || !dialog || !opener) return;

  // Without storage the switch holds for this page.
  let isOn = true;
  const box = dialog.querySelector("[name=keys]");
  try {
    isOn = localStorage.getItem(KEPT) !== "off";
  } catch {
    isOn = true;
  }
  box.checked = isOn;
  box.addEventListener("change", () => {
    isOn = box.checked;
    try {
      localStorage.setItem(KEPT, isOn ? "on" : "off");
    } catch {
      // It is remembered no longer than this page.
    }
  });

  const rows = () => [...table.tBodies[0].rows];
  const control = (row) => row?.querySelector("td.title a") ?? row?.querySelector("a, input");
  const present = () => document.activeElement.closest("tbody tr");
  const go = (step) => {
    const all = rows();
    const place = all.indexOf(present());
    control(all[place < 0 ? 0 : Math.min(Math.max(place + step, 0), all.length - 1)])?.focus();
  };
  const actions = {
    j: () => go(1),
    k: () => go(-1),
    x: () => present()?.querySelector('input[name="id"]')?.click(),
    e: () => present()?.querySelector("td.title a")?.click(),
    "?": () => dialog.showModal(),
  };
  const isTyped = (target) =>
    target.matches("select, textarea, input:not([type=checkbox])") || target.isContentEditable;

  table.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    if (!isOn || !action || isTyped(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    event.preventDefault();
    action();
  });
  opener.addEventListener("click", () => dialog.showModal());
  opener.hidden = false;
})();
