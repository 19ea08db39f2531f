import { expect, test } from 'vitest';
import { fieldRulesOf, rememberedRules } from '../../../src/change/record/remembered-fields.ts';
import type { Release } from '../../../src/release/types.ts';
import { chartOf } from '../../actions/harness.ts';

test('what a record has that is no rule does not keep the next command from the release', async () => {
  const chart = await chartOf({});
  const annotations = { 'tshelm.dev/fields': '["*:*=leave","Deployment:spec.replicas=leave","nonsense"]' };
  const release = { chart: { ...chart, metadata: { ...chart.metadata, annotations } } } as unknown as Release;
  for (const rules of [fieldRulesOf(undefined, release), rememberedRules([release])])
    expect(rules.map(({ text }) => text)).toEqual(['Deployment:spec.replicas=leave']);
});
