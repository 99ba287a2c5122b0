// Copies what stands in a field: the link of an invitation, a new password.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value ?? field.textContent).catch(() => field.select?.());
    button.textContent = button.dataset.done;
  });
}
