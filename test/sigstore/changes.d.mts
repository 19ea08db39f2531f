export function changesOf(text: string): string[];
