import { parseManifests } from '../../src/manifest/parse.ts';
import type { Hook, HookEvent, Manifest } from '../../src/manifest/types.ts';

/** Manifests from short names: `Service/web`, or `example.com/v1 Widget/w`. */
export const manifestsOf = (...names: readonly string[]): readonly Manifest[] =>
  names.flatMap((text) => {
    const [, apiVersion = 'v1', kind, name] = text.match(/^(?:(\S+) )?(\w+)\/(\S+)$/) ?? [];
    return parseManifests(
      `# Source: app/templates/${name}.yaml\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: "${name}"}\n`,
    );
  });

export const namesOf = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map(({ object }) => `${object.kind}/${object.metadata.name}`);

export const hookOf = (name: string, rest: Partial<Hook> = {}, event: HookEvent = 'pre-install'): Hook => ({
  name,
  kind: 'Job',
  path: 'app/templates/hook.yaml',
  manifest: `apiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\n`,
  events: [event],
  weight: 0,
  deletePolicies: [],
  outputLogPolicies: [],
  lastRun: { phase: '' },
  ...rest,
});
