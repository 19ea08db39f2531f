export interface StackCase {
  readonly name: string;
  readonly folder: string;
  readonly args: readonly string[];
  readonly template?: readonly string[];
}
export const cases: readonly StackCase[];
export const commands: Readonly<Record<string, string>>;
export function helmfile(one: StackCase, command: string): string;
export const valuesName: string;
export function filesIn(path: string): string;
