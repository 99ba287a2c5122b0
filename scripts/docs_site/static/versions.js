// Fills the choice of versions from the list beside them, and opens the same page of another one.
const versions = document.querySelector(".versions");
if (versions) {
  const choice = versions.querySelector("select");
  const root = new URL(versions.dataset.root, location.href);
  const page = location.pathname.slice(root.pathname.length).split("/").slice(1).join("/");

  const open = async () => {
    const target = new URL(`${choice.value}/`, root);
    const same = new URL(page, target);
    const answer = await fetch(same, { method: "HEAD" });
    location.href = answer.ok ? same : target;
  };

  const fill = async () => {
    const answer = await fetch(new URL("versions.json", root));
    if (!answer.ok) return;
    const own = versions.dataset.version;
    choice.replaceChildren(
      ...(await answer.json()).map((name) => new Option(name, name, name === own, name === own)),
    );
    choice.addEventListener("change", open);
    versions.classList.add("is-filled");
  };
  fill().catch(() => {});
}
