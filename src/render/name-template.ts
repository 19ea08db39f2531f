import { TshelmError } from '../support/errors.ts';
import { TemplateError } from '../template/error.ts';
import { TemplateSet } from '../template/template-set.ts';
import { type EnvironmentOptions, environmentOf } from './environment.ts';
import { sprigFunctions } from './functions/table.ts';

/** A release's name from `--name-template`. Fails with `template-error` (action.TemplateName). */
export function renderName(template: string, options: EnvironmentOptions = {}): string {
  const name = 'name-template';
  const set = new TemplateSet({ name, functions: sprigFunctions(environmentOf(options)), missingKey: 'default' });
  try {
    return set.executeSource(name, template, null);
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    throw new TshelmError('template-error', { message: cause.message, details: { template }, cause });
  }
}
