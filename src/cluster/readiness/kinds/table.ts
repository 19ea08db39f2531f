import type { HealthRule } from '../../types.ts';
import { argo } from './argo.ts';
import { databases } from './databases.ts';
import { delivery } from './delivery.ts';
import { infrastructure } from './infrastructure.ts';
import { networking } from './networking.ts';
import { byRule, type RulesByGroup } from './rule.ts';
import { workloads } from './workloads.ts';

const table: RulesByGroup = { ...argo, ...databases, ...delivery, ...infrastructure, ...networking, ...workloads };

/** Whether a controller writes a status, which the kind may have without a subresource for it, as Argo's Workflow. */
export function getsStatus(group: string, kind: string): boolean {
  const rule = table[group]?.[kind];
  return typeof rule === 'object' && rule.needsNoStatus !== true;
}

/** The rule of a custom resource's kind; undefined where there is none. */
export function ruleOfKind(group: string, kind: string): HealthRule | 'never-reports' | undefined {
  const labels = group.split('.');
  const parents = labels.slice(1).map((_label, index) => `*.${labels.slice(index + 1).join('.')}`);
  const rules = [group, ...parents].map((name) => table[name]).find((one) => one !== undefined);
  const rule = rules?.[kind] ?? rules?.['*'];
  return typeof rule === 'object' ? (object) => byRule(rule, object) : rule;
}
