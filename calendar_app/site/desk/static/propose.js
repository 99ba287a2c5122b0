// Proposals from the memory, beside a text once somebody comes to write it.
"use strict";

(() => {
  const SENT = { kind: "proposeKind", field: "proposeField", from: "proposeSource", into: "proposeTarget" };
  const asked = new WeakMap();
  const controlOf = (target) => target.closest?.(".field, .translate-target")?.querySelector("[data-propose-kind]");

  const ask = async (control, machine = "") => {
    const text = document.getElementById(control.dataset.proposeFrom)?.value.trim() ?? "";
    if (asked.get(control) === text && !machine) return;
    asked.set(control, text);
    const field = control.closest(".field");
    const sent = new FormData();
    for (const [name, key] of Object.entries(SENT)) sent.set(name, control.dataset[key]);
    sent.set("text", text);
    sent.set("own", control.value);
    sent.set("machine", machine);
    sent.set("csrf_token", control.form.elements.csrf_token.value);
    let shown = "";
    try {
      const answer = text && (await fetch(control.form.dataset.propose, { method: "POST", body: sent }));
      if (answer && answer.ok && !answer.redirected) shown = await answer.text();
    } catch {
      // Without a connection nothing is proposed.
    }
    if (asked.get(control) !== text) return;
    const proposals = new DOMParser().parseFromString(shown, "text/html").querySelector(".remembered-all");
    field.querySelector(".remembered-all")?.remove();
    if (proposals?.children.length) field.append(proposals);
  };

  const joined = (control, text) => {
    const own = control.value.trim();
    if (!own) return text;
    return own.endsWith("</p>") ? `${own.slice(0, -4)} ${text}</p>` : `${own} ${text}`;
  };

  document.addEventListener("focusin", ({ target }) => {
    const control = controlOf(target);
    if (control?.form?.dataset.propose && !target.closest(".remembered-all")) ask(control);
  });
  document.addEventListener("click", (event) => {
    const machine = event.target.closest("[data-ask-machine]");
    if (machine) {
      machine.disabled = true;
      ask(controlOf(machine), "1");
      return;
    }
    const button = event.target.closest("[data-take]");
    const place = button?.closest(".field, .translate-target");
    const control = place?.querySelector("input[type=text], textarea");
    if (!control) return;
    event.preventDefault();
    control.value = "adds" in button.dataset ? joined(control, button.dataset.take) : button.dataset.take;
    const origin = place.querySelector("input[data-origin-of], input[name^='proposed[']");
    if (origin && !("adds" in button.dataset)) origin.value = button.dataset.origin;
    control.dispatchEvent(new Event("refill"));
    control.dispatchEvent(new Event("input", { bubbles: true }));
    (control.hidden ? place.querySelector(".rich-surface") : control)?.focus();
  });
})();
