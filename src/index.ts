/** tshelm as a library: the parts that others can build on. */
export { TshelmError } from './support/errors.ts';
