// Node's Buffer is the fastest way between texts and bytes. A browser has none: there scripts/browser-files.mjs puts
// bytes.browser.ts in the place of this module, and test/support/bytes.test.ts compares the two.

export const utf8Bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

export const base64Text = (bytes: Uint8Array): string => viewOf(bytes).toString('base64');

/** Reads what it can: characters that are not base64 count as none. */
export const base64Bytes = (text: string): Uint8Array => Buffer.from(text, 'base64');

/** One character for each byte. */
export const latin1Text = (bytes: Uint8Array): string => viewOf(bytes).toString('latin1');

export const latin1Bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

export const hexText = (bytes: Uint8Array): string => viewOf(bytes).toString('hex');

export const joinedBytes = (pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces);

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
