/** Of a page with a graph: the drawing, the small one in its corner, the legend, and the panels beside it. */
export const graphStyle = `
body { display: grid; grid: auto minmax(0, 1fr) / minmax(0, 1fr) 22rem; }
header { grid-column: 1 / 3; }
main { position: relative; min-width: 0; min-height: 0; overflow: hidden; }
#plan { display: block; width: 100%; height: 100%; cursor: grab; touch-action: none; user-select: none; -webkit-user-select: none; }
#plan:active { cursor: grabbing; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; pointer-events: none; }
svg .title { font-weight: 600; }
svg .line { font: 11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: var(--soft); }
svg .caption { text-anchor: middle; font-size: 11px; fill: var(--soft); }
.band > rect { fill: var(--band); }
.box { cursor: pointer; outline: none; }
.frame { fill: var(--box); stroke: var(--line); stroke-width: 1.2; }
.step > .frame { fill: var(--step); } .chart > .frame { fill: var(--chart); } .group > .frame { fill: var(--group); }
.hook > .frame { fill: var(--hook); stroke-dasharray: 5 3; } .release > .frame { fill: var(--release); }
.box:hover > .frame { stroke: var(--focus); }
.box:focus-visible > .frame { stroke: var(--focus); stroke-width: 3; }
.closed > .inside, .closed > .line { display: none; }
.sign > rect { fill: transparent; } .sign:hover > rect { fill: var(--soft-fill); }
.sign > path { fill: var(--soft); transform-origin: 12px 15px; transform: rotate(90deg); }
.closed > .sign > path { transform: none; }
svg .count { font-size: 11px; fill: var(--soft); text-anchor: end; }
.arrow, .gate { fill: none; stroke: var(--arrow); stroke-width: 1.3; pointer-events: none; }
.gate { stroke-width: 3; stroke-linecap: round; }
#tip path { fill: var(--arrow); fill: context-stroke; }
.far .line { display: none; }
.picked .box:not(.near) > :not(.inside), .picked .arrow:not(.near), .sought .box:not(.found):not(.holds-found) > :not(.inside) { opacity: .25; }
.picked .arrow.near { stroke: var(--focus); stroke-width: 2; }
.box.picked > .frame, .box.found > .frame { stroke: var(--focus); stroke-width: 3; }
.closed.holds-found > .frame { stroke: var(--focus); stroke-width: 2; stroke-dasharray: 4 3; }
#overview { position: absolute; right: .6rem; bottom: .6rem; width: 11rem; height: 8rem; background: var(--page); border: 1px solid var(--line); border-radius: 5px; cursor: crosshair; touch-action: none; }
#overview.idle { display: none; }
#overview .box { stroke: var(--line); stroke-width: 1px; vector-effect: non-scaling-stroke; fill: var(--box); }
#overview .step { fill: var(--step); } #overview .chart { fill: var(--chart); } #overview .group { fill: var(--group); } #overview .hook { fill: var(--hook); } #overview .release { fill: var(--release); }
#overview .seen { fill: var(--focus); fill-opacity: .15; stroke: var(--focus); stroke-width: 2px; vector-effect: non-scaling-stroke; }
#legend { position: absolute; left: .6rem; bottom: .6rem; background: var(--page); border: 1px solid var(--line); border-radius: 5px; padding: .2rem .6rem; max-width: calc(100% - 1.2rem); z-index: 1; }
#legend summary { cursor: pointer; }
#legend ul { list-style: none; margin: .2rem 0 .3rem; padding: 0; } #legend li { display: flex; gap: .5rem; align-items: center; font-size: 13px; }
.key { flex: none; }
aside { border-left: 1px solid var(--rule); padding: .8rem 1rem; overflow: auto; min-height: 0; overflow-wrap: anywhere; }
aside h2 { font-size: 1rem; margin: 0 0 .4rem; } aside h3 { font-size: .85rem; color: var(--soft); margin: .9rem 0 .2rem; }
aside ul { margin: 0; padding-left: 1.1rem; } aside code { font-size: 12px; }
aside p { margin: .3rem 0; } .place { color: var(--soft); }
.as-text main { display: none; } .as-text aside { grid-column: 1 / 3; border-left: 0; padding: .8rem max(1rem, 50% - 24rem); }
.as-text aside section { border-bottom: 1px solid var(--rule); padding: .6rem 0; }
@media (max-width: 50rem) {
  body { grid: auto minmax(0, 1fr) fit-content(38vh) / minmax(0, 1fr); } header, .as-text aside { grid-column: 1; }
  .as-text { grid: auto minmax(0, 1fr) / minmax(0, 1fr); }
  aside { border-left: 0; border-top: 1px solid var(--rule); padding: .6rem; } .keys { display: none; }
  #overview { width: 7rem; height: 5rem; right: .4rem; bottom: .4rem; } #legend { left: .4rem; bottom: .4rem; }
}
@media print { body { display: block; } .tools, #overview { display: none; } main { height: 90vh; } aside { border: 0; } aside section[hidden] { display: block !important; } }
`;
