import { readFileSync } from 'node:fs';

/** A case of fixtures/{yaml,json,toml,base64}: what Go's library made of the input (test/e2e/go-yaml). */
export interface GoCase {
  readonly operation: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
}

export function goCases(path: string): GoCase[] {
  const url = new URL(`../../fixtures/${path}`, import.meta.url);
  return (JSON.parse(readFileSync(url, 'utf8')) as { cases: GoCase[] }).cases;
}

/** What `run` gives for the case's input, in the form of a case. */
export function outcome(run: (input: string) => string, { input }: GoCase): { output?: string; error?: string } {
  try {
    return { output: run(input) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

export const expectedOutcome = ({ output, error }: GoCase): { output?: string; error?: string } =>
  error === undefined ? { output: output as string } : { error };
