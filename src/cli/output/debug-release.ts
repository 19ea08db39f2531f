import type { GoMap, Value } from '../../go/value.ts';
import type { Release } from '../../release/types.ts';
import { isSecretName } from '../../support/secret-names.ts';

const masked = '***';
const suppressed = '# HIDDEN: The Secret output has been suppressed\n';

/** A release as --debug may tell of it beside the result: without its Secrets, in Helm's words for --hide-secret. */
export const withoutSecrets = (release: Release): Release => ({
  ...release,
  manifest: release.manifest
    .split(/^(?=---\n)/m)
    .map((document) => (isSecret(document) ? `${sourceOf(document)}${suppressed}` : document))
    .join(''),
  hooks: release.hooks.map((hook) => (hook.kind === 'Secret' ? { ...hook, manifest: suppressed.trimEnd() } : hook)),
});

const isSecret = (document: string): boolean =>
  /^["']?kind["']?:\s*["']?Secret(?:List)?\b/m.test(document) || /"kind":\s*"Secret(?:List)?"/.test(document);
const sourceOf = (document: string): string => /^---\n(?:# Source: .*\n)?/.exec(document)?.[0] ?? '';

/** Values with what is likely secret, by its key, masked. */
export const withoutSecretValues = (values: GoMap): GoMap =>
  new Map([...values].map(([key, value]) => [key, isSecretName(key) && isLeaf(value) ? masked : clean(value)]));

function clean(value: Value): Value {
  if (value instanceof Map) return withoutSecretValues(value as GoMap);
  return Array.isArray(value) ? value.map(clean) : value;
}

const isLeaf = (value: Value): boolean =>
  value !== null && value !== '' && !(value instanceof Map) && !Array.isArray(value);
