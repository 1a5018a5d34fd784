/** The look of the reference page, light and dark. */
export const referenceStyle = `
:root { color-scheme: light dark; --ink: #1f1b2e; --muted: #655f78; --paper: #fdfcff; --panel: #f4f1fb; --line: #e0daf0;
  --accent: #7a4fc4; --get: #1f7a4d; --put: #9a5b00; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece8f7; --muted: #a9a1c0; --paper: #16131f; --panel: #1f1b2c;
  --line: #352f49; --accent: #b99af0; --get: #6fd3a0; --put: #e7b562; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); font: 16px/1.55 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); }
a { color: inherit; text-decoration: none; }
a:hover, main p a { text-decoration: underline; }
a:focus-visible, pre:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem 3rem; background: var(--panel);
  border-right: 1px solid var(--line); font-size: .85rem; }
nav .brand { display: block; font-weight: 700; font-size: 1.05rem; color: var(--accent); margin-bottom: 1rem; }
nav .brand span { color: var(--muted); font-weight: 400; }
nav h2 { margin: 1.1rem 0 .3rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--muted); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .17rem .35rem; border-radius: 6px; }
nav li a:hover { background: var(--line); text-decoration: none; }
nav li span { overflow-wrap: anywhere; }
.method { font: 600 .68rem/1 var(--mono); color: var(--accent); min-width: 2.4rem; }
.method.get { color: var(--get); }
.method.put { color: var(--put); }
main { padding: 2rem clamp(1rem, 4vw, 4rem) 6rem; max-width: 62rem; }
main h1 { margin: 0 0 .75rem; font-size: 2rem; }
main > section > h2 { margin: 3rem 0 .25rem; font-size: 1.45rem; text-transform: capitalize; }
main > section > h2 + p { margin-top: 0; color: var(--muted); }
article { margin: 1.5rem 0; padding: 1.25rem 1.4rem; border: 1px solid var(--line); border-radius: 12px; }
article:target { border-color: var(--accent); }
h3 { margin: 0; font-size: 1.08rem; }
h4 { margin: 1.1rem 0 .3rem; font-size: .85rem; color: var(--muted); }
.route { display: flex; gap: .6rem; align-items: baseline; margin: .35rem 0; }
.route code { overflow-wrap: anywhere; }
.access { display: flex; flex-wrap: wrap; gap: .4rem; margin: .5rem 0; }
.access span { padding: .05rem .55rem; font-size: .78rem; border: 1px solid var(--line); border-radius: 999px; background: var(--panel); }
code, pre { font-family: var(--mono); font-size: .86em; }
pre { margin: .75rem 0 0; padding: .75rem 1rem; overflow-x: auto; border-radius: 8px; background: var(--panel); }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .88rem; }
td { padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top; }
table.fields { min-width: 34rem; table-layout: fixed; }
.fields td:first-child { width: 34%; overflow-wrap: anywhere; }
.fields td:nth-child(2) { width: 30%; }
td em { font-size: .78rem; font-style: normal; color: var(--accent); white-space: nowrap; }
td:last-child { color: var(--muted); }
details { margin-top: 1rem; font-size: .88rem; color: var(--muted); }
summary { cursor: pointer; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border-right: 0;
  border-bottom: 1px solid var(--line); max-height: 40vh; } }
@media print { nav { display: none; } body { display: block; } }
`;
