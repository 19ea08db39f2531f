import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { missingDependencies } from '../chart/checks.ts';
import { loadChart } from '../chart/load.ts';
import type { Notify } from '../chart/notice.ts';
import type { Chart } from '../chart/types.ts';
import { goPathError } from '../go/path-error.ts';
import { parseVersion } from '../go/semver.ts';
import { GoError } from '../go/value.ts';
import { archivedAnnotations } from '../plan/order-annotations.ts';
import { bundleSuffix } from '../source/archive-signatures.ts';
import { writeFileAtomically } from '../source/atomic-file.ts';
import { saveChart } from '../source/package/save.ts';
import { stamped } from '../source/package/stamp.ts';
import type { Signer } from '../source/provenance/signer.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

export interface PackageOptions {
  /** The version that the archive has instead of the chart's. */
  readonly version?: string | undefined;
  readonly appVersion?: string | undefined;
  /** The folder that the archive goes to. */
  readonly destination: string;
  /** The time that all files are to have (SOURCE_DATE_EPOCH). */
  readonly epoch?: Date | undefined;
  /** The time of files that have none. */
  readonly now: Date;
  /** Gives what signs the archive, once that is written; undefined where it is not to be signed. */
  readonly signer?: (() => Promise<Signer>) | undefined;
  /** Gives the bundle of sigstore that signs the archive. */
  readonly signFile?: ((archive: Uint8Array) => string) | undefined;
  readonly onNotice?: Notify | undefined;
}

/**
 * Packs a chart's folder into an archive, with every field of Chart.yaml and with the annotations that keep its order
 * where Helm handles it next. Gives the archive's path. Go: action.Package. Fails with `package-failed`.
 */
export async function packageChart(path: string, options: PackageOptions): Promise<string> {
  const chart = prepared(await loadFolder(path, options.onNotice), options);
  const missing = missingDependencies(chart);
  if (missing.length > 0) throw failed(`found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`);
  const archive = await saveChart(chart, options.destination, options.now).catch((cause: unknown) => {
    throw failed(`failed to save: ${messageOf(cause)}`, cause);
  });
  if (options.signer !== undefined) await sign(archive, await options.signer());
  const { signFile } = options;
  if (signFile !== undefined) writeFileAtomically(archive + bundleSuffix, signFile(readFileSync(archive)));
  return archive;
}

async function loadFolder(path: string, onNotice: Notify | undefined): Promise<Chart> {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    const reason = goPathError('open', `${folder}/Chart.yaml`, Object.assign(new Error(), { code: 'ENOTDIR' }));
    throw failed(`unable to detect chart at ${folder}/Chart.yaml: ${reason.message}`);
  }
  return loadChart(folder, { onNotice });
}

function prepared(chart: Chart, { version, appVersion, epoch }: PackageOptions): Chart {
  const changed: Chart = {
    ...withOrder(chart),
    metadata: {
      ...withOrder(chart).metadata,
      ...(version && { version }),
      ...(appVersion && { appVersion }),
    },
  };
  try {
    parseVersion(changed.metadata.version);
  } catch (cause) {
    if (cause instanceof GoError) throw failed(cause.message, cause);
    throw cause;
  }
  return epoch === undefined ? changed : stamped(changed, epoch);
}

/** A chart, and its subcharts, with the annotations that say what Helm's hand would drop. */
function withOrder(chart: Chart): Chart {
  const added = archivedAnnotations(chart);
  const { annotations } = chart.metadata;
  return {
    ...chart,
    metadata: {
      ...chart.metadata,
      ...(Object.keys(added).length > 0 && { annotations: { ...annotations, ...added } }),
    },
    dependencies: chart.dependencies.map(withOrder),
  };
}

/** Writes `ARCHIVE.prov` beside an archive. Go: Package.Clearsign. */
async function sign(archive: string, signer: Signer): Promise<void> {
  const { metadata } = await loadChart(archive, { ofAnyVersion: true });
  const text = await signer.sign(readFileSync(archive), basename(archive), metadata);
  writeFileAtomically(`${archive}.prov`, text);
}

const failed = (message: string, cause?: unknown): TshelmError => new TshelmError('package-failed', { message, cause });
