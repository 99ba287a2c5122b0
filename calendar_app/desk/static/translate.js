// Keys of the translator, on buttons that work without them.
const form = document.querySelector("form.translate");

if (form) {
  const press = (action) => form.querySelector(`.form-foot button[value="${action}"]`)?.click();
  let left = false;

  for (const key of form.querySelectorAll("kbd")) key.hidden = false;

  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    press(event.shiftKey ? "right" : "next");
  });

  // Taking over a text needs no round trip.
  form.addEventListener("click", (event) => {
    const button = event.target.closest('button[name="take"]');
    if (!button) return;
    const [origin, ...rest] = button.value.split(".");
    const name = rest.join(".");
    if (origin !== "proposal") return;
    event.preventDefault();
    const field = form.elements.namedItem(name);
    field.value = form.elements.namedItem(button.value).value;
    field.focus();
  });

  form.addEventListener("submit", () => { left = true; });
  window.addEventListener("beforeunload", (event) => {
    const typed = [...form.querySelectorAll("textarea, input[type=text]")];
    if (!left && typed.some((field) => field.value !== field.defaultValue)) event.preventDefault();
  });
  window.addEventListener("pageshow", () => { left = false; });
}
