// Keeps what was typed into a form of a record until it is saved, and notices a lost connection.
"use strict";

(() => {
  const form = document.querySelector("form[data-draft]");
  if (!form) return;
  let timer;

  /* What was typed is kept in the browser until it is saved */
  const SENT = "desk-sent";
  const key = `desk-draft:${document.body.dataset.user}:${location.pathname}`;
  const { language, unsaved } = form.dataset;
  const state = form.querySelector(".draft-state");
  const isKept = (each) =>
    each.name &&
    ("kept" in each.dataset || !["hidden", "submit", "file", "password"].includes(each.type)) &&
    !/^(keep_|image_pick$|picture_)/.test(each.name);
  // Texts of the first language have bare names; another address may put another language first.
  const worded = new Set(
    [...form.querySelectorAll(".pane.is-first [name]")].map((each) => each.name).filter((name) => !name.includes("[")),
  );
  worded.add("custom_fields");
  const whole = (name, first) => (worded.has(name) ? `variants[${first}][${name}]` : name);
  const own = (name) => {
    const bare = name.slice(name.lastIndexOf("[") + 1, -1);
    return worded.has(bare) && name === `variants[${language}][${bare}]` ? bare : name;
  };

  const collect = () =>
    [...form.elements].filter(isKept).map((each) =>
      ["checkbox", "radio"].includes(each.type)
        ? { name: whole(each.name, language), value: each.value, checked: each.checked, label: each.nextElementSibling?.textContent ?? "" }
        : { name: whole(each.name, language), value: each.value },
    );
  const byName = (fields) => JSON.stringify([...fields].sort((a, b) => a.name.localeCompare(b.name)));
  const saved = byName(collect());
  const hasChanges = () => byName(collect()) !== saved || Boolean(unsaved);
  const put = (name, text) => {
    try {
      sessionStorage.setItem(name, text);
    } catch {
      // A text larger than the store: the form itself still has it.
    }
  };
  const store = () => {
    // Which state it began with tells own changes from those of others.
    const { revision, base } = form.elements;
    const digests = Object.fromEntries(Object.entries(JSON.parse(base.value)).map(([name, digest]) => [whole(name, language), digest]));
    put(key, JSON.stringify({ revision: revision.value, base: digests, fields: collect() }));
  };
  const tell = () => {
    state.classList.remove("is-offline");
    state.textContent = hasChanges() ? form.dataset.changed : "";
    form.classList.toggle("is-changed", hasChanges());
  };
  const forget = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const keepNow = () => {
    forget();
    if (hasChanges()) store();
    tell();
  };
  const keep = () => {
    clearTimeout(timer);
    timer = setTimeout(keepNow, 250);
  };
  const restore = (fields) => {
    const seen = new Map();
    for (const field of fields) {
      const name = own(field.name);
      const place = seen.get(name) ?? 0;
      seen.set(name, place + 1);
      const controls = [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)].filter(isKept);
      if (!("checked" in field)) {
        if (controls[place]) controls[place].value = field.value;
        continue;
      }
      const fitting = controls.find((each) => each.value === field.value);
      if (fitting) fitting.checked = field.checked;
      else if (field.checked) {
        const detail = { name, id: field.value, label: field.label };
        form.dispatchEvent(new CustomEvent("restore-link", { detail }));
      }
    }
    for (const area of form.querySelectorAll("textarea.rich")) area.dispatchEvent(new Event("refill"));
  };
  const offer = () => {
    const notice = document.createElement("p");
    notice.className = "notice notice-warning";
    notice.setAttribute("role", "status");
    notice.append(`${form.dataset.restored} `);
    const discard = document.createElement("button");
    Object.assign(discard, { type: "button", className: "button-quiet", textContent: form.dataset.discard });
    discard.addEventListener("click", () => {
      forget();
      sessionStorage.removeItem(key);
      dispatchEvent(new Event("leave"));
      location.reload();
    });
    notice.append(discard);
    form.before(notice);
  };
  if (document.querySelector(".notice-done")) {
    sessionStorage.removeItem(sessionStorage.getItem(SENT));
    sessionStorage.removeItem(SENT);
  }
  const draft = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (unsaved) store();
  else if (draft && byName(draft.fields) !== saved) {
    restore(draft.fields);
    form.elements.revision.value = draft.revision;
    const digests = Object.entries(draft.base).map(([name, digest]) => [own(name), digest]);
    form.elements.base.value = JSON.stringify(Object.fromEntries(digests));
    form.dataset.unsaved = "yes";
    offer();
    form.dispatchEvent(new Event("restored"));
  }
  tell();
  form.addEventListener("input", keep);
  addEventListener("logout", () => {
    forget();
    form.removeEventListener("input", keep);
  });
  // The page may go within the pause after the last key.
  const keepLast = () => timer && keepNow();
  addEventListener("pagehide", keepLast);
  document.addEventListener("visibilitychange", keepLast);

  /* A lost connection is noticed before anything is sent */
  let isAlive = false;
  form.addEventListener("submit", async (event) => {
    if (isAlive || event.submitter?.value === "preview") return;
    event.preventDefault();
    const { submitter } = event;
    try {
      await fetch(form.dataset.alive, { method: "HEAD", cache: "no-store" });
    } catch {
      // What was typed last is kept before the message says so, and does not overwrite it later.
      keepNow();
      state.textContent = form.dataset.offline;
      state.classList.add("is-offline");
      return;
    }
    // Nothing is typed, and no draft kept, while the form is on its way.
    forget();
    store();
    put(SENT, key);
    isAlive = true;
    form.requestSubmit(submitter);
    form.inert = true;
    setTimeout(release, 5000);
  });
  const release = () => {
    isAlive = false;
    form.inert = false;
  };
  addEventListener("pageshow", release);
})();
