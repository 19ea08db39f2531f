/** `FILE?raw`: the text of a file, which esbuild puts into the bundle (scripts/raw-texts.mjs); vitest knows it by itself. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** `FOLDER?manual`: the Markdown pages of a folder, compressed (scripts/manual.mjs). */
declare module '*?manual' {
  const packed: string;
  export default packed;
}
