import { waitFlag } from '../../change/deploy/deploy-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';
import type { LintOptions } from '../lint.ts';

/** The options of `lint` and `stack lint`. */
export const lintFlags = {
  'skip-schema-validation': {
    type: 'bool',
    option: 'skipSchemaValidation',
    description: 'if set, disables JSON schema validation',
  },
  strict: { type: 'bool', option: 'strict', description: 'fail on lint warnings' },
  wait: {
    ...waitFlag.wait,
    description: "with 'ordered', also check the order of charts that declare none",
  },
} satisfies FlagRows<LintOptions>;
