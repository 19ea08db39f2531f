/** tshelm/go-template/functions: sprig's and Helm's functions for tshelm/go-template. */
export {
  type FunctionSetOptions,
  helm,
  type SprigOptions,
  sprig,
  time,
} from './go-template/function-sets.ts';
