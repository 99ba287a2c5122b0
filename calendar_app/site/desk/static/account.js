// Drafts are for the user who typed them: they go at logout, and once somebody else is logged in.
"use strict";

(() => {
  const DRAFTS = "desk-draft:";
  const own = `${DRAFTS}${document.body.dataset.user}:`;
  const remove = (isGone) =>
    Object.keys(sessionStorage)
      .filter((name) => name.startsWith(DRAFTS) && isGone(name))
      .forEach((name) => sessionStorage.removeItem(name));

  remove((name) => !name.startsWith(own));
  for (const form of document.querySelectorAll("form[data-logout]"))
    form.addEventListener("submit", () => {
      dispatchEvent(new Event("logout"));
      remove(() => true);
    });
})();
