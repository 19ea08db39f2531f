export type Face = ReadonlyMap<string, { readonly module: string; readonly text: string }>;
export function writeTypes(folder: string, names?: readonly string[]): Readonly<Record<string, Face>>;
