export function referencePage(name: string, help: string, pages: readonly string[]): string;
