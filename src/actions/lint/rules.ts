import { chartFileRule } from './chart-file.ts';
import { crdsRule } from './crds.ts';
import { dependenciesRule } from './dependencies.ts';
import { orderRule } from './order.ts';
import type { LintRule } from './subject.ts';
import { templatesRule } from './templates.ts';
import { valuesRule } from './values.ts';

/** Every rule, in the order of its findings: first Helm's own (lint.RunAll), then what only tshelm checks. */
export const lintRules: readonly LintRule[] = [
  chartFileRule,
  valuesRule,
  templatesRule,
  dependenciesRule,
  crdsRule,
  orderRule,
];
