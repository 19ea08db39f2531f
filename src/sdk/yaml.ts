import type { KubernetesObject } from '../manifest/types.ts';
import { writePlainYaml } from '../yaml/index.ts';

/**
 * Objects as a YAML stream, as Helm writes YAML: keys sorted, each document begun by `---`. A `bigint` is written in full,
 * which `JSON.stringify` refuses.
 */
export const toYaml = (objects: KubernetesObject | readonly KubernetesObject[]): string =>
  [objects]
    .flat()
    .map((object) => `---\n${writePlainYaml(object)}`)
    .join('');
