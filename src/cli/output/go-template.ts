import type { Value } from '../../go/value.ts';
import type { FunctionTable } from '../../template/function.ts';
import { TemplateSet } from '../../template/template-set.ts';

/** What a --template flag prints: a Go template over `data`, with no functions but the built-in ones and those given. */
export function goTemplateText(template: string, data: Value, functions: FunctionTable = {}): string {
  const set = new TemplateSet({ functions, missingKey: 'default', name: '_' });
  set.parse('_', template);
  return set.execute('_', data);
}
