/** A function takes so many arguments on every stack. */
const mostArguments = 8192;

/** A text of its UTF-16 units; of bytes, as Latin-1. */
export function textOfUnits(units: Uint16Array | Uint8Array): string {
  let text = '';
  for (let at = 0; at < units.length; at += mostArguments)
    text += String.fromCharCode(...units.subarray(at, at + mostArguments));
  return text;
}
