// Pictures become smaller before they are sent; what is still too large is not sent at all.
"use strict";

(() => {
  const LONGEST_SIDE = 2560; // pixels: what a large screen shows
  const LARGE = 1_000_000; // bytes; smaller files stay as they are
  const QUALITY = 0.85;
  const STILL = ["image/jpeg", "image/png", "image/webp"]; // A GIF may move.

  const MOVES = 2; // the flag of an animation in the first chunk of an extended WebP

  // A file of WebP or PNG says before its first picture whether others follow.
  const isMoving = async (file) => {
    const text = new TextDecoder("latin1").decode(await file.slice(0, LARGE).arrayBuffer());
    if (file.type === "image/webp") return text.startsWith("VP8X", 12) && (text.charCodeAt(20) & MOVES) > 0;
    return file.type === "image/png" && text.split("IDAT", 1)[0].includes("acTL");
  };
  const encoded = (canvas, type) => new Promise((done) => canvas.toBlob(done, type, QUALITY));

  // Upright, as its Exif orientation says; null where it is not made smaller.
  const smaller = async (file) => {
    if (await isMoving(file)) return null;
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    // Where WebP cannot be written, PNG comes in its place; of a photo it would be larger.
    let made = await encoded(canvas, "image/webp");
    if (made?.type !== "image/webp") made = await encoded(canvas, file.type);
    if (!made || made.size >= file.size) return null;
    const ending = made.type === "image/webp" ? ".webp" : file.name.match(/\.\w+$/)?.[0] ?? "";
    return new File([made], file.name.replace(/\.\w+$/, "") + ending, { type: made.type });
  };

  const judge = (input) => {
    const isTooLarge = input.files[0]?.size > Number(input.dataset.most);
    input.parentElement.querySelector(".field-problem")?.remove();
    input.removeAttribute("aria-invalid");
    if (!isTooLarge) return;
    const problem = document.createElement("p");
    Object.assign(problem, { className: "field-problem", textContent: input.dataset.tooLarge });
    problem.setAttribute("role", "alert");
    input.setAttribute("aria-invalid", "true");
    input.after(problem);
    input.value = "";
  };

  const take = async (input) => {
    const [file] = input.files;
    if (file && file.size > LARGE && STILL.includes(file.type)) {
      // What is no picture is refused by the service, which says why.
      const own = await smaller(file).catch(() => null);
      if (input.files[0] !== file) return; // Another one was chosen meanwhile.
      if (own) {
        const carrier = new DataTransfer();
        carrier.items.add(own);
        input.files = carrier.files;
      }
    }
    judge(input);
    input.dispatchEvent(new CustomEvent("taken", { bubbles: true }));
  };

  for (const input of document.querySelectorAll('input[type="file"][data-most]')) {
    let taking = null;
    let isWaiting = false;
    input.addEventListener("change", () => {
      const own = take(input).finally(() => {
        if (taking === own) taking = null;
      });
      taking = own;
    });
    // Who is quicker than the picture waits for it.
    input.form.addEventListener("submit", (event) => {
      if (!taking) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (isWaiting) return;
      isWaiting = true;
      const { submitter } = event;
      taking.then(() => {
        isWaiting = false;
        // What was not taken is looked at first.
        if (!input.hasAttribute("aria-invalid")) input.form.requestSubmit(submitter);
      });
    }, true);
  }
})();
