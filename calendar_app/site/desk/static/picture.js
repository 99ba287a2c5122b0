// The picture of a form: dragged in, pasted or chosen, and shown as readers will see it.
"use strict";

(() => {
  const part = document.querySelector(".picture-part");
  if (!part) return;
  const form = part.closest("form");
  const file = part.querySelector('input[type="file"]');
  const image = form.elements.image;
  const shown = part.querySelector(".picture-shown");
  const remove = form.elements.image_remove;
  const isPicture = (each) => each.type.startsWith("image/");

  const show = (address, isChosen) => {
    for (const each of shown.querySelectorAll("img")) each.src = address;
    shown.hidden = false;
    if (remove) remove.checked = false;
    const texts = part.querySelector(".alternative-texts");
    if (texts) texts.open = true;
    part.dispatchEvent(new CustomEvent("picture-shown", { detail: { isChosen } }));
  };
  const take = (files) => {
    const own = [...files].find(isPicture);
    if (!own || !file) return false;
    const carrier = new DataTransfer();
    carrier.items.add(own);
    file.files = carrier.files;
    file.dispatchEvent(new Event("change", { bubbles: true }));
    return true;
  };

  if (file) {
    part.querySelector(".drop-hint").hidden = false;
    part.classList.add("has-scripts");
    // Once it is small enough; one that stays too large is gone.
    file.addEventListener("taken", () => {
      if (file.files[0]) show(URL.createObjectURL(file.files[0]), false);
    });
    const has = (event) => [...(event.dataTransfer?.items ?? [])].some((each) => each.kind === "file");
    for (const kind of ["dragenter", "dragover"]) {
      document.addEventListener(kind, (event) => {
        if (!has(event)) return;
        event.preventDefault();
        part.classList.add("is-over");
      });
    }
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) part.classList.remove("is-over");
    });
    document.addEventListener("drop", (event) => {
      part.classList.remove("is-over");
      if (!has(event)) return;
      event.preventDefault();
      take(event.dataTransfer.files);
    }, true);
    document.addEventListener("paste", (event) => {
      const data = event.clipboardData;
      if (data?.getData("text/plain") || !take(data?.files ?? [])) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
  }

  /* Those that are here already, in a window of the page */
  const picker = part.querySelector(".picker");
  const dialog = document.createElement("dialog");
  if (!picker || !dialog.showModal) return;
  const library = picker.querySelector(".library");
  const head = document.createElement("div");
  head.className = "picker-head";
  const title = document.createElement("h2");
  title.textContent = picker.dataset.title;
  const close = document.createElement("button");
  Object.assign(close, { type: "button", className: "button-quiet", textContent: picker.dataset.close });
  head.append(title, close);
  dialog.className = "picker-window";
  dialog.setAttribute("aria-label", picker.dataset.title);
  dialog.append(head, library);
  picker.after(dialog);
  const open = document.createElement("button");
  Object.assign(open, { type: "button", className: "button-quiet picker-open", textContent: picker.dataset.title });
  open.setAttribute("aria-haspopup", "dialog");
  picker.replaceWith(open);
  open.addEventListener("click", () => {
    dialog.showModal();
    (library.querySelector(":checked") ?? library.querySelector("input")).focus();
  });
  close.addEventListener("click", () => dialog.close());
  // A press chooses and is done; arrows look at one after the other, Enter is done.
  const choose = () => {
    const own = library.querySelector('[name="image_pick"]:checked')?.closest("label").querySelector("img");
    if (own) {
      show(own.dataset.larger ?? own.src, true);
      if (file) file.value = "";
    }
  };
  library.addEventListener("change", (event) => {
    if (event.target.name === "image_pick") choose();
  });
  library.addEventListener("click", (event) => {
    if (event.target.closest(".library-picture img, .library-name")) setTimeout(() => dialog.close());
  });
  library.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.name !== "image_pick") return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("close", () => open.focus());
  if (picker.open) dialog.showModal();
})();
