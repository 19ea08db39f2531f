import type { GoFunction } from '../../go/value.ts';
import { builtins } from '../../template/builtins.ts';
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

/** Go's builtins and those of Helm's that nothing outside bears on: put together once, for that takes a while. */
export const fixedFunctions: ReadonlyMap<string, GoFunction> = new Map([
  ...builtins,
  ...Object.entries<GoFunction>({
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
  }),
]);

/**
 * With {@link fixedFunctions}, all that Helm gives to templates beside those bound to a chart or a template set
 * (include, tpl, required, lookup). `env` and `expandenv` are left out, as in Helm.
 */
export const boundFunctions = (environment: FunctionEnvironment): FunctionTable => ({
  ...cryptoFunctions(environment),
  ...dateFunctions(environment),
  ...encoderFunctions(environment),
  ...mathFunctions(environment),
  ...networkFunctions(environment),
  ...stringFunctions(environment),
});
