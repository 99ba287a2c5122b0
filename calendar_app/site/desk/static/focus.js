// The point of a picture that crops keep: pressed on the picture, or said in numbers.
"use strict";

(() => {
  const part = document.querySelector(".picture-part");
  const described = part?.querySelector(".picture-described");
  const left = part?.querySelector('[name="image_focus_left"]');
  const top = part?.querySelector('[name="image_focus_top"]');
  if (!left || !top) return;
  const whole = part.querySelector(".form-picture");
  const cut = part.querySelector(".form-cut");
  const hint = part.querySelector("[data-press]");
  hint.append(" ", hint.dataset.press);

  const mark = document.createElement("span");
  mark.className = "focus-mark";
  mark.setAttribute("aria-hidden", "true");
  const frame = document.createElement("span");
  frame.className = "focus-frame";
  whole.before(frame);
  frame.append(whole, mark);

  // The picture is drawn in the middle of its box, with the sides that it has.
  const drawn = () => {
    const { width, height } = whole.getBoundingClientRect();
    const ratio = whole.naturalWidth / whole.naturalHeight || width / height;
    const own = { width: Math.min(width, height * ratio), height: Math.min(height, width / ratio) };
    return { ...own, x: (width - own.width) / 2, y: (height - own.height) / 2 };
  };
  const percent = (input) => Math.min(100, Math.max(0, Number(input.value === "" ? 50 : input.value)));
  const show = () => {
    const { width, height, x, y } = drawn();
    cut.style.objectPosition = `${percent(left)}% ${percent(top)}%`;
    mark.style.left = `${x + (width * percent(left)) / 100}px`;
    mark.style.top = `${y + (height * percent(top)) / 100}px`;
    mark.hidden = !left.value && !top.value;
  };
  const say = (one, other) => {
    [left.value, top.value] = [one, other];
    left.dispatchEvent(new Event("input", { bubbles: true }));
  };

  frame.addEventListener("click", (event) => {
    if (described.hidden) return;
    const { left: edge, top: upper } = whole.getBoundingClientRect();
    const { width, height, x, y } = drawn();
    const share = (at, length) => Math.round(Math.min(1, Math.max(0, at / length)) * 100);
    say(share(event.clientX - edge - x, width), share(event.clientY - upper - y, height));
    part.querySelector(".picture-focus").open = true;
  });
  for (const input of [left, top]) input.addEventListener("input", show);
  whole.addEventListener("load", show);
  addEventListener("resize", show);
  if (whole.complete) show();

  // Another picture has a point of its own.
  part.addEventListener("picture-shown", (event) => {
    say("", "");
    described.hidden = event.detail.isChosen;
    for (const input of described.querySelectorAll("input")) input.disabled = event.detail.isChosen;
    part.querySelector(".described-elsewhere")?.remove();
    if (!event.detail.isChosen) return;
    const note = document.createElement("p");
    note.className = "hint described-elsewhere";
    note.textContent = described.dataset.elsewhere;
    described.after(note);
  });
})();
