// A picture that is too large is not even sent.
"use strict";

for (const file of document.querySelectorAll('input[type="file"][data-most]')) {
  file.addEventListener("change", () => {
    const isTooLarge = file.files[0]?.size > Number(file.dataset.most);
    file.parentElement.querySelector(".field-problem")?.remove();
    file.removeAttribute("aria-invalid");
    if (!isTooLarge) return;
    const problem = document.createElement("p");
    Object.assign(problem, { className: "field-problem", textContent: file.dataset.tooLarge });
    problem.setAttribute("role", "alert");
    file.setAttribute("aria-invalid", "true");
    file.after(problem);
    file.value = "";
  });
}
