import { compileRegexp, mustCompileRegexp, quoteMeta, type Regexp } from '../../go/regexp.ts';
import { GoError, type GoFunction, nilList } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';

type Work = (regexp: Regexp, ...args: never[]) => unknown;

/** A function that panics on a bad expression, and its must variant that returns the error: their texts differ. */
const withMust = (name: string, parameters: string, result: string, work: Work): Record<string, GoFunction> => ({
  [`regex${name}`]: goFunction(`func(string, ${parameters}) ${result}`, (source: string, ...args: never[]) =>
    work(mustCompileRegexp(source), ...args),
  ),
  [`mustRegex${name}`]: goFunction(
    `func(string, ${parameters}) (${result}, error)`,
    (source: string, ...args: never[]) => work(compileRegexp(source), ...args),
  ),
});

export const regexFunctions: FunctionTable = {
  ...withMust('Find', 'string', 'string', (regexp, text: string) => regexp.find(text)),
  ...withMust(
    'FindAll',
    'string, int',
    '[]string',
    (regexp, text: string, limit: number) => regexp.findAll(text, limit) ?? nilList('[]string'),
  ),
  ...withMust('ReplaceAll', 'string, string', 'string', (regexp, text: string, template: string) =>
    regexp.replaceAll(text, template),
  ),
  ...withMust('ReplaceAllLiteral', 'string, string', 'string', (regexp, text: string, replacement: string) =>
    regexp.replaceAllLiteral(text, replacement),
  ),
  ...withMust(
    'Split',
    'string, int',
    '[]string',
    (regexp, text: string, limit: number) => regexp.split(text, limit) ?? nilList('[]string'),
  ),
  regexMatch: goFunction('func(string, string) bool', matchesOrNot),
  mustRegexMatch: goFunction('func(string, string) (bool, error)', (source: string, text: string) =>
    compileRegexp(source).matches(text),
  ),
  regexQuoteMeta: goFunction('func(string) string', quoteMeta),
};

/** A bad expression matches nothing. */
function matchesOrNot(source: string, text: string): boolean {
  try {
    return compileRegexp(source).matches(text);
  } catch (error) {
    if (error instanceof GoError) return false;
    throw error;
  }
}
