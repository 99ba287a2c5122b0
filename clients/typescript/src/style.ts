// The look of the element. A page sets the properties that begin with --calendar.

export const STYLE = `
:host {
  --accent: var(--calendar-accent, light-dark(#0f5c63, #86d3d8));
  --accent-soft: var(--calendar-accent-soft, light-dark(#e2eeee, #1b3538));
  --ink: var(--calendar-ink, light-dark(#1b2126, #eceff1));
  --soft: var(--calendar-soft, light-dark(#566069, #aab4bb));
  --surface: var(--calendar-surface, light-dark(#ffffff, #1b2125));
  --line: var(--calendar-line, light-dark(#e1ddd3, #343d43));
  --warm: var(--calendar-warm, light-dark(#8a4708, #f0b95b));
  --warm-soft: var(--calendar-warm-soft, light-dark(#fbeed9, #3a2c17));
  --danger: var(--calendar-danger, light-dark(#9e2430, #ff9d98));
  --danger-soft: var(--calendar-danger-soft, light-dark(#fbe7e6, #3d2022));
  --radius: var(--calendar-radius, 0.75rem);
  --gap: var(--calendar-gap, 1rem);
  display: block;
  container-type: inline-size;
  color-scheme: var(--calendar-color-scheme, light dark);
  color: var(--ink);
  font: var(--calendar-font, 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif);
  overflow-wrap: break-word;
}
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
h2, h3, h4, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
img { display: block; max-width: 100%; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.heading { font-size: 1.35rem; line-height: 1.2; letter-spacing: -0.012em; margin-bottom: var(--gap); text-wrap: balance; }
.list > li { display: grid; grid-template-columns: minmax(0, 1fr); }
.list { display: grid; grid-template-columns: minmax(0, 1fr); gap: calc(var(--gap) * 0.75); }
.event { position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 1rem; align-items: start; align-content: start; padding: 0.9rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); transition: border-color 0.15s; }
.event:hover { border-color: var(--accent); }
.day { display: grid; justify-items: center; align-content: center; min-width: 3.6rem; padding: 0.4rem 0.35rem; border-radius: calc(var(--radius) * 0.65); background: var(--accent-soft); color: var(--accent); line-height: 1.15; font-variant-numeric: tabular-nums; }
.day span { font-size: 0.8rem; font-weight: 600; }
.day strong { font-size: 1.55rem; letter-spacing: -0.02em; }
.body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.15rem; }
.title { font-size: 1.1rem; line-height: 1.25; letter-spacing: -0.008em; text-wrap: balance; hyphens: auto; }
.title a { color: inherit; text-decoration: none; }
.title a::after { content: ""; position: absolute; inset: 0; border-radius: var(--radius); }
.title a:hover { color: var(--accent); text-decoration: underline; text-underline-offset: 0.18em; }
.title a:focus-visible { outline: none; }
.title a:focus-visible::after, button:focus-visible, .text a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.facts { color: var(--soft); font-size: 0.95rem; }
.facts span + span::before { content: "·"; margin-inline: 0.4em; }
.marks { display: flex; flex-wrap: wrap; gap: 0.35rem; margin-bottom: 0.15rem; }
.mark { padding: 0.05rem 0.6rem; border-radius: 99rem; font-size: 0.82rem; font-weight: 650; background: var(--accent-soft); color: var(--accent); }
.mark.canceled { background: var(--danger-soft); color: var(--danger); }
.mark.postponed { background: var(--warm-soft); color: var(--warm); }
.is-canceled .title, .is-canceled .when { text-decoration: line-through; text-decoration-thickness: 0.06em; }
.picture { grid-column: 1 / -1; margin: -0.9rem -1rem 0.9rem; aspect-ratio: 16 / 9; width: 0; min-width: calc(100% + 2rem); max-width: none; object-fit: cover; border-radius: calc(var(--radius) - 1px) calc(var(--radius) - 1px) 0 0; background: var(--accent-soft); }
.text { position: relative; margin-top: 0.5rem; display: grid; gap: 0.5rem; text-wrap: pretty; }
.text ul, .text ol { display: block; list-style: revert; padding-inline-start: 1.3rem; }
.text a { color: var(--accent); }
.notice { padding: 1.5rem; border: 1px dashed var(--line); border-radius: var(--radius); color: var(--soft); text-align: center; display: grid; gap: 0.75rem; justify-items: center; }
button { min-height: 2.75rem; padding: 0.45rem 1.2rem; border: 1px solid var(--accent); border-radius: 99rem; background: transparent; color: var(--accent); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { background: var(--accent-soft); }
.more { display: grid; justify-items: center; gap: 0.35rem; margin-top: var(--gap); color: var(--soft); font-size: 0.92rem; }
.waiting { min-height: 5.6rem; border: 1px solid var(--line); border-radius: var(--radius); background: linear-gradient(100deg, var(--surface) 40%, var(--accent-soft) 50%, var(--surface) 60%) 0 0 / 250% 100%; animation: shine 1.6s linear infinite; }
@keyframes shine { from { background-position: 125% 0; } to { background-position: -125% 0; } }
@media (prefers-reduced-motion: reduce) { .waiting { animation: none; } .event { transition: none; } }
@container (min-width: 34rem) {
  .cards { grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: var(--gap); }
  .list:not(.cards) .event:has(.picture) { grid-template-columns: auto minmax(0, 1fr) 10rem; }
  .list:not(.cards) .picture { grid-area: 1 / 3; margin: 0; width: 100%; min-width: 0; aspect-ratio: 3 / 2; border-radius: calc(var(--radius) * 0.65); }
}
`;
