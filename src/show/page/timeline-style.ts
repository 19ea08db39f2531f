/** Of a page with timelines: rows of a name, a time and a bar. */
export const timelineStyle = `
body { min-height: 100%; height: auto; }
header { position: sticky; top: 0; background: var(--page); z-index: 2; }
main { padding: .6rem 1rem 2rem; }
h2 { font-size: 1rem; margin: 1.6rem 0 .4rem; } h3 { font-size: .9rem; margin: 1rem 0 .2rem; }
.row, .axis { display: grid; grid-template-columns: minmax(12rem, 24rem) 15rem minmax(0, 1fr); gap: .8rem; align-items: center; }
.row { border-radius: 4px; outline-offset: -2px; padding: 1px 0; content-visibility: auto; contain-intrinsic-height: 22px; }
.row:hover { background: var(--soft-fill); }
.row.title .text { font-weight: 600; } .row.quiet { color: var(--soft); } .row.quiet .track { display: none; }
summary h3 { display: inline; }
.row.found .text { background: var(--hook); outline: 1px solid var(--critical); }
.name { display: flex; min-width: 0; overflow-wrap: anywhere; font-size: 13px; }
.text { min-width: 0; }
.sign { flex: none; width: 1.1rem; cursor: pointer; color: var(--soft); }
.row[aria-expanded] > .name { cursor: pointer; }
.row[aria-expanded=true] .sign::before { content: '▾'; } .row[aria-expanded=false] .sign::before { content: '▸'; }
.d1 .name { padding-left: 1rem; } .d2 .name { padding-left: 2rem; } .d3 .name { padding-left: 3rem; } .d4 .name { padding-left: 4rem; } .d5 .name { padding-left: 5rem; }
.d6 .name { padding-left: 6rem; } .d7 .name { padding-left: 7rem; } .d8 .name, .d9 .name { padding-left: 8rem; }
.critical > .name .text { color: var(--critical); font-weight: 600; }
.critical > .name .text::before { content: '★ '; content: '★ ' / ''; }
.time { font-size: 12px; color: var(--soft); font-variant-numeric: tabular-nums; }
.track svg { display: block; width: 100%; height: 14px; background: var(--soft-fill); border-radius: 2px; }
.axis svg { grid-column: 3; width: 100%; height: 16px; overflow: visible; } .axis .last { text-anchor: end; } .axis text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.bar { fill: var(--busy); } .bar.critical { fill: var(--critical); } .bar.failed { fill: var(--bad); } .bar.waiting { fill: var(--bad); fill-opacity: .55; } .bar.group { fill-opacity: .35; }
.overview { display: block; width: 100%; height: 3.2rem; background: var(--band); border: 1px solid var(--line); border-radius: 4px; cursor: crosshair; touch-action: none; margin-bottom: .5rem; }
.overview .seen { fill: var(--focus); fill-opacity: .08; stroke: var(--focus); stroke-width: 2px; vector-effect: non-scaling-stroke; }
.bad { color: var(--bad); } .told, .bad { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere; white-space: pre-wrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
#legend { margin-top: 1.5rem; border-top: 1px solid var(--rule); padding-top: .5rem; } #legend summary { cursor: pointer; }
#legend ul { list-style: none; margin: .3rem 0; padding: 0; } #legend li { display: flex; gap: .5rem; align-items: center; font-size: 13px; } .key { flex: none; }
@media (max-width: 50rem) {
  main { padding: .5rem .6rem 2rem; }
  .row { grid-template-columns: minmax(0, 1fr) auto; gap: 0 .5rem; padding: 3px 0; contain-intrinsic-height: 44px; } .axis { grid-template-columns: minmax(0, 1fr); }
  .axis svg { grid-column: 1; } .track { grid-column: 1 / 3; } .row.title .time { display: none; }
  .d1 .name { padding-left: .5rem; } .d2 .name { padding-left: 1rem; } .d3 .name { padding-left: 1.5rem; } .d4 .name { padding-left: 2rem; } .d5 .name { padding-left: 2.5rem; }
  .d6 .name { padding-left: 3rem; } .d7 .name, .d8 .name, .d9 .name { padding-left: 3.5rem; }
}
@media print { header { position: static; } .tools, .overview { display: none; } .row { content-visibility: visible; } }
`;
