import type { FunctionTable } from '../../template/function.ts';
import { conversionFunctions } from './conversion.ts';
import { cryptoFunctions } from './crypto.ts';
import { dateFunctions } from './dates.ts';
import { defaultFunctions } from './defaults.ts';
import { dictFunctions } from './dicts.ts';
import { durationFunctions } from './durations.ts';
import { encoderFunctions } from './encoders.ts';
import type { FunctionEnvironment } from './environment.ts';
import { flowFunctions } from './flow.ts';
import { listFunctions } from './lists.ts';
import { mathFunctions } from './math.ts';
import { networkFunctions } from './network.ts';
import { reflectionFunctions } from './reflection.ts';
import { regexFunctions } from './regex.ts';
import { semverFunctions } from './semver.ts';
import { stringFunctions } from './strings.ts';
import { urlAndPathFunctions } from './url-path.ts';

export type { FunctionEnvironment } from './environment.ts';

/** What every chart gets: put together once, for a table of this size takes a while. */
const fixedFunctions: FunctionTable = {
  ...conversionFunctions,
  ...defaultFunctions,
  ...durationFunctions,
  ...dictFunctions,
  ...flowFunctions,
  ...listFunctions,
  ...reflectionFunctions,
  ...regexFunctions,
  ...semverFunctions,
  ...urlAndPathFunctions,
};

/**
 * All functions that Helm gives to templates beside Go's builtins and those bound to a chart or a template set
 * (include, tpl, required, lookup). `env` and `expandenv` are left out, as in Helm.
 */
export const sprigFunctions = (environment: FunctionEnvironment): FunctionTable => ({
  ...fixedFunctions,
  ...cryptoFunctions(environment),
  ...dateFunctions(environment),
  ...encoderFunctions(environment),
  ...mathFunctions(environment),
  ...networkFunctions(environment),
  ...stringFunctions(environment),
});
