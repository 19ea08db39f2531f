/** `x.script`: the module `x/main.ts` and what it imports, as the text of one script for a browser (scripts/browser-script.mjs). */
declare module '*.script' {
  const text: string;
  export default text;
}
