/** The page's style, light and dark as the reader's system has it. */
export const style = `
:root { color-scheme: light dark; --page: #fff; --ink: #1c2024; --soft: #5b6470; --line: #d4d9df; --band: #f4f6f8; --box: #fff;
  --arrow: #9aa4b0; --focus: #0b66d0; --step: #eef2f7; --chart: #f1f7ff; --group: #f3fbf3; --hook: #fff8ec; --warn: #8a4b00; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --ink: #e6e9ec; --soft: #9aa4ae; --line: #4a545f; --band: #1b1f24;
  --box: #20262c; --arrow: #66717d; --focus: #6cb0ff; --step: #191d22; --chart: #17222f; --group: #17241b; --hook: #2a2418; --warn: #f0b060; } }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid: auto 1fr / 1fr 22rem; background: var(--page); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
header { grid-column: 1 / 3; display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .5rem 1rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.05rem; margin: 0; flex: 1; overflow-wrap: anywhere; }
input, button { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: 5px; padding: .2rem .6rem; }
button { cursor: pointer; min-width: 2.2rem; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
main { position: relative; min-width: 0; min-height: 0; overflow: hidden; }
svg { display: block; width: 100%; height: 100%; cursor: grab; touch-action: none; user-select: none; }
svg:active { cursor: grabbing; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; pointer-events: none; }
svg .title { font-weight: 600; }
svg .line { font: 11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: var(--soft); }
svg .caption { text-anchor: middle; font-size: 11px; fill: var(--soft); }
.band { fill: var(--band); }
.box { cursor: pointer; outline: none; }
.box > rect { fill: var(--box); stroke: var(--line); stroke-width: 1.2; }
.step > rect { fill: var(--step); } .chart > rect { fill: var(--chart); } .group > rect { fill: var(--group); } .hook > rect { fill: var(--hook); }
.box:hover > rect, .box:focus-visible > rect { stroke: var(--focus); stroke-width: 2; }
.arrow { fill: none; stroke: var(--arrow); stroke-width: 1.3; pointer-events: none; }
#tip path { fill: var(--arrow); }
svg.picked .box:not(.near), svg.picked .arrow:not(.near), svg.sought .box:not(.found):not(.cluster) { opacity: .25; }
svg.picked .arrow.near { stroke: var(--focus); stroke-width: 2; }
.box.picked > rect, .box.found > rect { stroke: var(--focus); stroke-width: 2.5; }
aside { border-left: 1px solid var(--line); padding: .8rem 1rem; overflow: auto; min-height: 0; overflow-wrap: anywhere; }
aside h2 { font-size: 1rem; margin: 0 0 .4rem; } aside h3 { font-size: .85rem; color: var(--soft); margin: .9rem 0 .2rem; }
aside ul { margin: 0; padding-left: 1.1rem; } aside code { font-size: 12px; }
aside a { color: var(--focus); }
.warnings { color: var(--warn); }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; font-size: 12px; }
@media (max-width: 50rem) { body { grid: auto 1fr 40% / 1fr; } header { grid-column: 1; } aside { border-left: 0; border-top: 1px solid var(--line); } }
@media print { body { display: block; } header input, header button, aside { display: none; } main { height: auto; } }
`;
