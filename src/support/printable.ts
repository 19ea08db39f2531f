/**
 * A text from the cluster as a terminal or a build log may show it: without colours, cursor movements and other control
 * characters, with which a pod's log could draw over what is said about it. Line breaks (`\r\n` too) and tabs stay.
 */
export const printable = (text: string): string =>
  isPlain(text)
    ? text
    : text
        .replace(/\r(?!\n)/g, '\n')
        .replace(escapes, '')
        .replace(controls, '');

const isPlain = (text: string): boolean => /^[\x20-\x7e\n\t]*$/.test(text);

/**
 * ECMA-48: CSI sequences, strings such as OSC up to their end, and other escapes of two characters or three. Of a string that
 * does not end on its line only the beginning is dropped: what follows is shown.
 */
const escapes = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_](?:[^\x07\x1b\n]*(?:\x07|\x1b\\))?|\x1b[ -/]*[0-~]/g;

/** C0 and C1 without \t, \n and \r; also the marks that turn the writing direction of what follows around. */
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The same on one line. */
export const printableLine = (text: string): string =>
  printable(text)
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .trim();
