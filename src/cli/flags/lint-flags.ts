import type { LintOptions } from '../../actions/lint.ts';
import { waitFlag } from '../../change/deploy/deploy-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';

/** What `lint` and `stack lint` are told. */
export const lintOptionFlags = {
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
