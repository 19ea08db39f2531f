import type { KubernetesObject } from '../../manifest/types.ts';
import { groupOf } from '../fields.ts';
import type { Readiness } from '../types.ts';
import { byCommonWords } from './kinds/common-words.ts';
import { ruleOfKind } from './kinds/table.ts';
import { ready } from './words.ts';

/** Readiness of a custom resource: by the rule of its kind, else by the words that most operators use. */
export function customReadiness(object: KubernetesObject): Readiness {
  const rule = ruleOfKind(groupOf(object), object.kind);
  return rule === 'never-reports' ? ready : (rule ?? byCommonWords)(object);
}

/** Not of a group that the API server itself serves. */
export function isCustom(object: Pick<KubernetesObject, 'apiVersion'>): boolean {
  const group = groupOf(object);
  return group.includes('.') && !builtInGroups.has(group);
}

const builtInGroups = new Set(
  `admissionregistration apiextensions apiregistration authentication authorization certificates coordination discovery
  events flowcontrol.apiserver internal.apiserver networking node rbac.authorization resource scheduling storage
  storagemigration`
    .split(/\s+/)
    .map((name) => `${name}.k8s.io`),
);
