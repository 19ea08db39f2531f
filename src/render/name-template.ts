import { expandVariables } from '../go/expand.ts';
import { TshelmError } from '../support/errors.ts';
import { TemplateError } from '../template/error.ts';
import { type FunctionTable, goFunction } from '../template/function.ts';
import { TemplateSet } from '../template/template-set.ts';
import { type EnvironmentOptions, environmentOf } from './environment.ts';
import { boundFunctions, fixedFunctions } from './functions/table.ts';

/** What sprig reads of the process: the user writes this template, so unlike a chart's it may look. */
const environmentFunctions: FunctionTable = {
  env: goFunction('func(string) string', variable),
  expandenv: goFunction('func(string) string', (text: string) => expandVariables(text, variable)),
};

/** A release's name from `--name-template`, which can read the environment. Fails with `template-error` (action.TemplateName). */
export function renderName(template: string, options: EnvironmentOptions = {}): string {
  const name = 'name-template';
  const functions = { ...boundFunctions(environmentOf(options)), ...environmentFunctions };
  const set = new TemplateSet({ name, functions, base: fixedFunctions, missingKey: 'default' });
  try {
    return set.executeSource(name, template, null);
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    throw new TshelmError('template-error', { message: cause.message, details: { template }, cause });
  }
}

function variable(name: string): string {
  return process.env[name] ?? '';
}
