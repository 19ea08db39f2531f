// The process around the program. A browser has none: there scripts/browser-files.mjs puts host.browser.ts in the place
// of this module.

export const { platform } = process;

/** A variable of the environment; an empty one counts as unset. */
export const environmentVariable = (name: string): string | undefined => process.env[name] || undefined;
