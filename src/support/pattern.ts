/** A pattern that matches a text and nothing else: `RegExp.escape` of newer runtimes. */
export const literalPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
