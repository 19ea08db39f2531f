/** A place in a JSON value, and what is wrong there. */
export interface SchemaProblem {
  readonly keys: readonly string[];
  readonly reason: string;
}

/**
 * The validator's findings one by one, each once: a schema that is referred to from many places is told of as often. A
 * line that only says that the ones below it are wrong is none.
 */
export const schemaProblems = (findings: string): readonly SchemaProblem[] =>
  [...new Set(findings.split('\n').map((line) => line.trimStart()))].flatMap((line) => {
    const [, path, reason] = /^- at '([^']*)': (.*)$/.exec(line) ?? [];
    if (path === undefined || reason === undefined || reason === 'validation failed') return [];
    return [{ keys: path.split('/').slice(1), reason }];
  });
