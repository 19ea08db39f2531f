import type { ChartScheme } from './chart-scheme.ts';
import { gitScheme } from './git/git-scheme.ts';
import { type OtherGetters, schemeOf } from './http/getters.ts';
import { getterScheme, webScheme } from './http/web-scheme.ts';
import { registryScheme } from './oci/registry-scheme.ts';

/** Every scheme that charts can be fetched from; others are those of getter plugins. */
const schemes: Readonly<Record<string, ChartScheme>> = {
  http: webScheme,
  https: webScheme,
  oci: registryScheme,
  'git+https': gitScheme,
  'git+http': gitScheme,
  'git+ssh': gitScheme,
  'git+file': gitScheme,
};

/** How charts come from a URL; undefined where nothing fetches its scheme. */
export function schemeAt(url: string, getters: OtherGetters): ChartScheme | undefined {
  const name = schemeOf(url);
  return schemes[name] ?? (getters.knows(name) ? getterScheme : undefined);
}
