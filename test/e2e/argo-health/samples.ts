import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { JSON_SCHEMA, load, loadAll } from 'js-yaml';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

/** A live object, and what Argo CD says of its health. */
export interface Sample {
  /** `argoproj.io/Rollout/testdata/degraded.yaml` */
  readonly name: string;
  readonly verdict: 'Healthy' | 'Progressing' | 'Degraded' | 'Suspended' | 'Unknown' | 'Missing';
  readonly object: KubernetesObject;
}

const module = 'github.com/argoproj/argo-cd/v3@v3.6.1';

interface HealthTests {
  readonly tests?: readonly { readonly inputPath?: string; readonly healthStatus: { readonly status: string } }[];
}

/** The samples of Argo CD's own tests of its health checks, from Go's module cache. They are never part of this project. */
export function argoSamples(): readonly Sample[] {
  const files = argoFiles();
  return Object.entries(files)
    .filter(([path]) => path.endsWith('/health_test.yaml'))
    .flatMap(([path, text]) => {
      const { tests = [] } = load(text) as HealthTests;
      return tests.flatMap(({ inputPath, healthStatus }) => {
        const file = join(dirname(path), inputPath ?? '');
        const [object] = loadAll(withTexts(files[file] ?? ''), null, asJson) as readonly (
          | KubernetesObject
          | undefined
        )[];
        const verdict = healthStatus.status as Sample['verdict'];
        return object?.kind === undefined ? [] : [{ name: file, verdict, object: named(object) }];
      });
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A sample may have no metadata. */
const named = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, name: 'x' },
});

/** A condition's status is a text. */
const withTexts = (yaml: string): string => yaml.replaceAll('status: True', 'status: "True"');

/** As in Go, a key may come twice, and times are texts. */
const asJson = { json: true, schema: JSON_SCHEMA };

function argoFiles(): Readonly<Record<string, string>> {
  const options = { cwd: import.meta.dirname, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const { Zip } = JSON.parse(downloaded(options)) as { Zip: string };
  return JSON.parse(execFileSync('go', ['run', 'unpacked.go', Zip, 'resource_customizations'], options)) as Record<
    string,
    string
  >;
}

/** Go keeps the archive, and says so, even where it is itself too old to build the module. */
function downloaded(options: { cwd: string; encoding: 'utf8' }): string {
  try {
    return execFileSync('go', ['mod', 'download', '-json', module], { ...options, stdio: 'pipe' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
