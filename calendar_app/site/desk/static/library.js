// Searches pictures and turns their pages in place, where the form would be sent otherwise.
"use strict";

for (const box of document.querySelectorAll(".library")) {
  const results = box.querySelector(".library-results");
  const search = box.querySelector('[name="picture_search"]');
  const image = search.form.elements.image;
  const before = image.value;
  const button = box.querySelector('[name="button"]');

  const show = async (number, sender) => {
    const query = new URLSearchParams({ picture_search: search.value, picture_page: number });
    try {
      const answer = await fetch(`${box.dataset.address}?${query}`);
      if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      results.replaceChildren(...page.body.childNodes);
      mark();
      if (sender !== button) results.querySelector(".library-state").focus();
    } catch {
      search.form.requestSubmit(sender);
    }
  };
  const mark = () => {
    const choices = [...results.querySelectorAll('[name="image_pick"]')];
    const choice = (value) => choices.find((each) => each.value === value) ?? choices[0];
    // The picture that is stored is no change.
    for (const each of choices) each.defaultChecked = each === choice(before);
    choice(image.value).checked = true;
  };

  box.addEventListener("click", (event) => {
    const sender = event.target.closest("button");
    if (!sender) return;
    event.preventDefault();
    show(sender.name === "picture_page" ? sender.value : "1", sender);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    show("1", button);
  });
  results.addEventListener("change", (event) => {
    image.value = event.target.value === "0" ? before : event.target.value;
    image.dispatchEvent(new Event("input", { bubbles: true }));
  });
  image.addEventListener("input", mark);
  mark();
}
