import type { Release } from '../../release/types.ts';

const suppressed = '# HIDDEN: The Secret output has been suppressed\n';

/** A release as --debug may tell of it beside the result: without its Secrets, in Helm's words for --hide-secret, and masked. */
export const withoutSecrets = (release: Release, mask: (text: string) => string): Release => ({
  ...release,
  manifest: release.manifest
    .split(/^(?=---\n)/m)
    .map((document) => (isSecret(document) ? `${sourceOf(document)}${suppressed}` : mask(document)))
    .join(''),
  hooks: release.hooks.map((hook) => ({
    ...hook,
    manifest: hook.kind === 'Secret' ? suppressed.trimEnd() : mask(hook.manifest),
  })),
});

const isSecret = (document: string): boolean =>
  /^["']?kind["']?:\s*["']?Secret(?:List)?\b/m.test(document) || /"kind":\s*"Secret(?:List)?"/.test(document);
const sourceOf = (document: string): string => /^---\n(?:# Source: .*\n)?/.exec(document)?.[0] ?? '';
