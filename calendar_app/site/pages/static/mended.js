// Takes back what is refused as soon as its field is changed: the message, the mark, the line above.
"use strict";

(() => {
  const described = (each) => (each.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  const message = (id) => {
    const found = id ? document.getElementById(id) : null;
    return found?.classList.contains("field-problem") ? found : null;
  };
  const isOfGroup = (each) =>
    each.id && !document.querySelector(`[aria-describedby~="${CSS.escape(each.id)}"]`);

  // The messages about a control: its own, those of the groups around it, and what it answers.
  const messagesAbout = (control) => {
    const ids = [];
    for (let each = control; each && each.tagName !== "FORM"; each = each.parentElement) {
      ids.push(...described(each), each.dataset.mends);
      const own = each.matches("fieldset, .field") ? [...each.children] : [];
      ids.push(...own.filter((child) => message(child.id) && isOfGroup(child)).map((child) => child.id));
    }
    return [...new Set(ids.map(message).filter(Boolean))];
  };

  const count = (summary) => {
    const lines = summary.querySelectorAll("li").length;
    if (!lines) return summary.remove();
    const heading = summary.querySelector("[data-one]");
    heading.textContent = lines === 1 ? heading.dataset.one : heading.dataset.many.replace("{number}", lines);
  };

  const takeBack = (refusal) => {
    for (const each of document.querySelectorAll(`[aria-describedby~="${CSS.escape(refusal.id)}"]`)) {
      const rest = described(each).filter((id) => id !== refusal.id);
      if (rest.length) each.setAttribute("aria-describedby", rest.join(" "));
      else each.removeAttribute("aria-describedby");
      if (!rest.some(message)) each.removeAttribute("aria-invalid");
    }
    for (const line of document.querySelectorAll(`.problem li[data-for="${CSS.escape(refusal.id)}"]`)) {
      const summary = line.closest(".problem");
      line.remove();
      count(summary);
    }
    refusal.remove();
  };

  for (const kind of ["input", "change"]) {
    addEventListener(kind, ({ target }) => messagesAbout(target).forEach(takeBack), true);
  }
})();
