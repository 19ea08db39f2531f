import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Chart } from '../../chart/types.ts';
import { isCrd } from '../../execute/apply/targets.ts';
import { goPathError } from '../../go/path-error.ts';
import { decodeText } from '../../go/text.ts';
import { itemsOf } from '../../manifest/items.ts';
import { parseManifest } from '../../manifest/parse.ts';
import { splitDocuments } from '../../manifest/split.ts';
import type { Manifest } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { defaultCapabilities } from '../../render/capabilities.ts';
import { prepareChart, renderRelease } from '../../render/release.ts';
import { isRegularFile } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';

type LoadChart = (reference: string) => Promise<Chart>;

/** The CustomResourceDefinitions that custom resources are checked with beside those of the chart. Errors: those of readObjects. */
export const readCrds = async (path: string, load: LoadChart): Promise<readonly Manifest[]> =>
  (await readObjects(path, load)).filter(({ object }) => isCrd(object));

/**
 * The objects of a file, of all YAML and JSON files below a folder, or of a chart with its default values. `load` loads what
 * is no file and no plain folder. Errors: `objects-unreadable`, `invalid-manifest`, those of the chart.
 */
export async function readObjects(path: string, load: LoadChart): Promise<readonly Manifest[]> {
  const files = filesAt(path);
  const manifests = files === undefined ? await manifestsOfChart(await load(path)) : files.flatMap(manifestsOfFile);
  return manifests.flatMap((manifest) => itemsOf(manifest.object).map((object) => ({ ...manifest, object })));
}

/** undefined for a chart: a folder with a Chart.yaml, an archive, or what is not on this disk. */
function filesAt(path: string): readonly string[] | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || /\.(?:tgz|tar\.gz)$/.test(path)) return undefined;
  if (!stats.isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  if (names.includes('Chart.yaml')) return undefined;
  return names
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .sort(compareText)
    .map((name) => join(path, name))
    .filter(isRegularFile);
}

function manifestsOfFile(file: string): readonly Manifest[] {
  return manifestsOfText(readText(file), file);
}

const manifestsOfText = (text: string, source: string): readonly Manifest[] =>
  splitDocuments(text).map((document) => parseManifest(document, source));

function readText(file: string): string {
  try {
    return decodeText(readFileSync(file));
  } catch (cause) {
    const { message } = goPathError('open', file, cause);
    throw new TshelmError('objects-unreadable', { message, details: { file }, cause });
  }
}

/** Those of its folders crds/, and what its templates render; a chart that needs values may have the first ones alone. */
async function manifestsOfChart(chart: Chart): Promise<readonly Manifest[]> {
  const prepared = prepareChart(chart, new Map());
  const own = prepared.crds.flatMap(({ data, filename }) => manifestsOfText(decodeText(data), filename));
  try {
    const release = { name: 'release-name', namespace: 'default', revision: 1, isInstall: true };
    const options = { release, capabilities: defaultCapabilities, skipSchemaValidation: true };
    const { manifests, hooks } = await renderRelease(prepared, new Map(), options);
    return [...own, ...manifests, ...hooks.map(manifestOfHook)];
  } catch (error) {
    if (own.length === 0) throw error;
    return own;
  }
}
