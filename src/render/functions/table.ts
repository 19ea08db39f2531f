import type { FunctionTable } from '../../template/function.ts';
import { conversionFunctions } from './conversion.ts';
import { defaultFunctions } from './defaults.ts';
import { dictFunctions } from './dicts.ts';
import type { FunctionEnvironment } from './environment.ts';
import { flowFunctions } from './flow.ts';
import { listFunctions } from './lists.ts';
import { mathFunctions } from './math.ts';
import { reflectionFunctions } from './reflection.ts';
import { semverFunctions } from './semver.ts';
import { stringFunctions } from './strings.ts';

export type { FunctionEnvironment } from './environment.ts';

/**
 * All functions that Helm gives to templates beside Go's builtins and those bound to a chart or a template set
 * (include, tpl, required, lookup). `env` and `expandenv` are left out, as in Helm.
 */
export const sprigFunctions = (environment: FunctionEnvironment): FunctionTable => ({
  ...conversionFunctions,
  ...defaultFunctions,
  ...dictFunctions,
  ...flowFunctions,
  ...listFunctions,
  ...mathFunctions(environment),
  ...reflectionFunctions,
  ...semverFunctions,
  ...stringFunctions(environment),
});
