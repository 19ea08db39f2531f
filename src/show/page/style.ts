/** What every page has: colours, light and dark as the reader's system has it, and the head. */
export const commonStyle = `
:root { color-scheme: light dark; --page: #fff; --ink: #1c2024; --soft: #57606a; --line: #b4bcc6; --rule: #d8dde3; --band: #f3f5f8; --box: #fff;
  --arrow: #7d8894; --focus: #0b62c4; --step: #e9eef4; --chart: #eaf3ff; --group: #e9f8ea; --hook: #fff4dc; --release: #f5edff;
  --warn: #8a4b00; --bad: #c22a1c; --busy: #6f9fd8; --critical: #ad4f00; --soft-fill: #e4e8ed; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --ink: #e6e9ec; --soft: #a3adb7; --line: #56616d; --rule: #313840; --band: #1a1e23;
  --box: #22282f; --arrow: #7e8a96; --focus: #74b4ff; --step: #1d2329; --chart: #182838; --group: #182b1d; --hook: #33290f; --release: #2a2038;
  --warn: #f0b060; --bad: #ff7d6e; --busy: #4a7fc0; --critical: #e58a2c; --soft-fill: #2a3037; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body { background: var(--page); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .5rem 1rem; border-bottom: 1px solid var(--rule); }
h1 { font-size: 1.05rem; margin: 0; flex: 1 1 16rem; overflow-wrap: anywhere; }
h1 small { color: var(--soft); font-weight: 400; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem .5rem; align-items: center; }
.buttons { display: inline-flex; } .buttons > button { border-radius: 0; margin-left: -1px; }
.buttons > :first-child { border-radius: 5px 0 0 5px; margin-left: 0; } .buttons > :last-child { border-radius: 0 5px 5px 0; }
input, button { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: 5px; padding: .2rem .6rem; }
input { min-width: 0; }
button { cursor: pointer; min-width: 2.2rem; }
button:hover { border-color: var(--focus); z-index: 1; }
button[aria-pressed=true] { background: var(--focus); color: var(--page); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
#found { color: var(--soft); min-width: 3.5rem; } #found:empty { display: none; }
a { color: var(--focus); }
.warnings { color: var(--warn); }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; font-size: 12px; }
@media (max-width: 50rem) { header { padding: .4rem .6rem; } h1 { flex-basis: 100%; font-size: .95rem; } .tools { width: 100%; } #search { flex: 1 1 12rem; } .tools button { padding: .2rem .5rem; } }
`;
