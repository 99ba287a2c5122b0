// Keys of the translator, on buttons that work without them.
const form = document.querySelector("form.translate");

if (form) {
  const press = (action) => form.querySelector(`.form-foot button[value="${action}"]`)?.click();
  let left = false;

  const first = form.querySelector("[autofocus]");
  if (first?.hidden) first.parentElement.querySelector(".rich-surface")?.focus();

  for (const key of form.querySelectorAll("kbd")) key.hidden = false;

  // Wherever the focus is; a second press would save what is being saved.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (left || event.repeat) return;
    press(event.shiftKey ? "right" : "next");
  });

  form.addEventListener("submit", () => { left = true; });
  window.addEventListener("pageshow", () => { left = false; });
}
