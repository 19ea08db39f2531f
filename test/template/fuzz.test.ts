import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TemplateError } from '../../src/template/error.ts';
import { fuzzData, missingKeyMode, templateSource } from './random-template.ts';
import { decodeValue, renderCase } from './reference-values.ts';

// TSHELM_FUZZ_RUNS=100000 npx vitest run test/template/fuzz.test.ts
const numRuns = Number(process.env['TSHELM_FUZZ_RUNS'] ?? 1500);

test('every template gives text or a TemplateError', () => {
  let texts = 0;
  fc.assert(
    fc.property(templateSource, missingKeyMode, (template, mode) => {
      try {
        expect(typeof renderCase({ source: template, missingKey: mode }, decodeValue(fuzzData))).toBe('string');
        texts += 1;
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
        expect(error.message).toMatch(/^template: /);
      }
    }),
    { numRuns, seed: 20260101, endOnFailure: true },
  );
  expect(texts).toBeGreaterThan(numRuns / 10);
}, 600_000);
