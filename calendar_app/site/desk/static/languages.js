// Shows the languages of a form: the first and one beside it where there is room, else one alone.
"use strict";

(() => {
  const bar = document.querySelector(".language-tabs");
  if (!bar) return;
  const form = bar.closest("form");
  const tabs = [...bar.querySelectorAll(".language-tab")];
  const [first, ...others] = tabs.map((tab) => tab.dataset.language);
  const wide = matchMedia("(min-width: 60rem)");
  const sent = form.elements.beside;
  const KEPT = "desk-beside";
  const remembered = () => {
    try {
      return localStorage.getItem(KEPT);
    } catch {
      return null;
    }
  };
  let beside = [sent?.value, remembered(), others[0]].find((each) => others.includes(each));
  let shown = first;

  const show = () => {
    for (const pane of form.querySelectorAll(".pane")) {
      pane.classList.toggle("is-shown", pane.dataset.language === shown);
      pane.classList.toggle("is-beside", pane.dataset.language === beside);
    }
    for (const tab of tabs) {
      const { language } = tab.dataset;
      const isPressed = wide.matches ? language !== first && language === beside : language === shown;
      tab.setAttribute("aria-pressed", String(isPressed));
      tab.disabled = wide.matches && language === first;
    }
    if (sent) sent.value = beside;
  };
  const choose = (language) => {
    shown = language;
    if (language !== first) beside = language;
    try {
      localStorage.setItem(KEPT, beside);
    } catch {
      // It is chosen anew on the next page.
    }
    show();
  };
  // The language of a text that is looked for: by a link above the form, or as wrong.
  const reveal = (target) => {
    const pane = target?.closest(".pane");
    if (!pane) return;
    for (let part = target.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    if (pane.dataset.language !== (wide.matches ? first : shown)) choose(pane.dataset.language);
  };
  bar.addEventListener("click", (event) => {
    const tab = event.target.closest(".language-tab");
    if (tab) choose(tab.dataset.language);
  });
  document.addEventListener("click", (event) => {
    const id = event.target.closest('a[href^="#"]')?.hash.slice(1);
    if (id) reveal(document.getElementById(id));
  }, true);
  wide.addEventListener("change", show);
  form.addEventListener("show-language", (event) => choose(event.detail));

  for (const wrong of form.querySelectorAll('.pane [aria-invalid="true"]')) {
    const { language } = wrong.closest(".pane").dataset;
    tabs.find((tab) => tab.dataset.language === language)?.classList.add("has-problem");
  }
  bar.hidden = false;
  form.classList.add("with-tabs");
  show();
  reveal(form.querySelector("[autofocus]"));
  form.querySelector("[autofocus]")?.focus();
})();
