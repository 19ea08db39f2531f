import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { dependenciesJson } from '../../chart/metadata-json.ts';
import type { ChartLock, Dependency } from '../../chart/types.ts';
import { jsonObject } from '../../go/json/struct-text.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { TshelmError } from '../../support/errors.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { lockYaml } from '../package/chart-yaml.ts';

/** What a lock file keeps of the dependencies that it was made for, and of what it locks. Go: resolver.HashReq. */
export const lockDigest = (wanted: readonly Dependency[], locked: readonly Dependency[]): string =>
  digest(`[${dependenciesJson(wanted)},${dependenciesJson(locked)}]`);

/** The same of Helm 2, which looked at the dependencies alone. Go: resolver.HashV2Req. */
export const helm2Digest = (wanted: readonly Dependency[]): string =>
  digest(jsonObject([['dependencies', dependenciesJson(wanted)]]));

const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/**
 * Writes Chart.lock, for a chart of API version v1 requirements.lock. Go: downloader.writeLock. Fails with
 * `lock-is-a-link`.
 */
export function writeLock(folder: string, lock: ChartLock, apiVersion: string): void {
  const name = apiVersion === 'v1' ? 'requirements.lock' : 'Chart.lock';
  const path = join(folder, name);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const message = `the ${name} file is a symlink to ${quote(readlinkSync(path))}`;
    throw new TshelmError('lock-is-a-link', { message, details: { path } });
  }
  writeFileAtomically(path, lockYaml(lock));
}
