import type { Value } from '../../support/value.ts';
import { TemplateSet } from '../../template/template-set.ts';

/** What a --template flag prints: a Go template without any function but the built-in ones, over `data`. */
export function goTemplateText(template: string, data: Value): string {
  const set = new TemplateSet({ functions: {}, missingKey: 'default', name: '_' });
  set.parse('_', template);
  return set.execute('_', data);
}
