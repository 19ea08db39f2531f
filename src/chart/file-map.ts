import { GoError } from '../go/value.ts';
import { TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { YamlError } from '../yaml/index.ts';
import { checkApiVersion } from './api-version.ts';
import { chartFromFiles } from './assemble.ts';
import { withoutBom } from './files.ts';
import { readIgnoreRules } from './ignore.ts';
import type { Notify } from './notice.ts';
import type { Chart } from './types.ts';

/** Files by their paths below the chart's folder: `templates/web.yaml`. */
export type ChartFiles = ReadonlyMap<string, Uint8Array>;

/**
 * The chart that a folder with these files would be ({@link loadChart}), for programs without a file system.
 * Fails with `chart-invalid`, in Helm's words.
 */
export function chartFromMap(files: ChartFiles, notify: Notify): Chart {
  const chartYaml = files.get('Chart.yaml');
  try {
    if (chartYaml === undefined) throw new GoError('Chart.yaml file is missing');
    checkApiVersion(chartYaml);
    return chartFromFiles(filesInOrder(files), { origin: '', notify });
  } catch (cause) {
    if (!(cause instanceof GoError || cause instanceof YamlError)) throw cause;
    throw new TshelmError('chart-invalid', { message: cause.message, details: { path: '.' }, cause });
  }
}

/** As a walk through the folder would find them, without what .helmignore names. */
function filesInOrder(files: ChartFiles) {
  const isIgnored = readIgnoreRules(files.get('.helmignore') ?? new Uint8Array());
  const isLeftOut = (path: readonly string[]): boolean =>
    path.some((_name, depth) => isIgnored(path.slice(0, depth + 1).join('/'), depth < path.length - 1));
  const paths = [...files.keys()].map((name) => name.split('/')).filter((path) => !isLeftOut(path));
  return paths.sort(comparePaths).map((path) => {
    const name = path.join('/');
    return { name, modifiedAt: new Date(0), data: withoutBom(files.get(name) as Uint8Array) };
  });
}

/** By the first element that differs. */
function comparePaths(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((name, depth) => name !== b[depth]);
  return at < 0 ? a.length - b.length : compareText(a[at] ?? '', b[at] ?? '');
}
