export function messagesByCode(source: string): ReadonlyMap<string, readonly string[]>;
