/**
 * tshelm/go-template: Go's text/template for JavaScript, without a chart and without a cluster (docs/go-template.md).
 * It uses nothing that a browser has not.
 */
export {
  FunctionSet,
  type Functions,
  parse,
  Template,
  type TemplateOptions,
} from './go-template/template.ts';
export { type IntegerType, struct, TypedValue, typed } from './go-template/value.ts';
export { type ArgumentCount, TemplateError, type TemplateFact } from './template/error.ts';
export type { MissingKey } from './template/execution.ts';
