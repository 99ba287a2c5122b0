// Asks before a page is left on which something has been typed and not sent.
"use strict";

(() => {
  let isLeaving = false;
  const isChosen = (option, select) => {
    const usual = [...select.options].find((each) => each.defaultSelected) ?? select.options[0];
    return option.selected === (option === usual);
  };
  const isUntouched = (field) => {
    if (!field.name || ["hidden", "submit", "button"].includes(field.type)) return true;
    if (["checkbox", "radio"].includes(field.type)) return field.checked === field.defaultChecked;
    if (field.type === "file") return field.files.length === 0;
    if (field.options) return [...field.options].every((option) => isChosen(option, field));
    // Browsers end lines in their own way.
    return field.value === field.defaultValue.replace(/\r\n?/g, "\n");
  };
  const isUnsaved = (form) =>
    form.dataset.unsaved === "yes" || [...form.elements].some((field) => !isUntouched(field));

  addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.submitter?.formTarget !== "_blank") isLeaving = true;
  });
  addEventListener("leave", () => { isLeaving = true; });
  addEventListener("pageshow", () => { isLeaving = false; });
  addEventListener("beforeunload", (event) => {
    const forms = document.querySelectorAll('main form[method="post"]:not([data-several])');
    if (!isLeaving && [...forms].some(isUnsaved)) event.preventDefault();
  });
})();
