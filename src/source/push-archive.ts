import { existsSync, readFileSync, statSync } from 'node:fs';
import { loadChart } from '../chart/load.ts';
import { readBytes } from '../go/files.ts';
import { parseUrl } from '../go/net/url.ts';
import { cleanPath } from '../go/path.ts';
import { quote } from '../go/strconv/strconv.ts';
import { GoError } from '../go/value.ts';
import { type ChartToPush, type PushedChart, pushChart } from './oci/push.ts';
import { isOci, withoutScheme } from './oci/reference.ts';
import type { RegistryClient } from './oci/registry-client.ts';

/**
 * Pushes a packed chart, and its provenance file where one lies beside it, to `oci://HOST/PATH`.
 * Go: uploader.ChartUploader, pusher.OCIPusher.
 */
export async function pushArchive(
  archive: string,
  target: string,
  registry: RegistryClient,
  sign?: ChartToPush['sign'],
): Promise<PushedChart> {
  checkTarget(target);
  const modifiedAt = checkArchive(archive);
  const { metadata } = await loadChart(archive, { ofAnyVersion: true });
  const folder = cleanPath(`${withoutScheme(target)}/${metadata.name}`);
  return pushChart(
    registry,
    {
      metadata,
      archive: readFileSync(archive),
      provenance: readIfThere(`${archive}.prov`),
      createdAt: localTime(modifiedAt),
      sign,
    },
    `${folder}:${metadata.version}`,
  );
}

function checkTarget(target: string): void {
  const scheme = schemeOf(target);
  if (scheme === '') throw new GoError(`scheme prefix missing from remote (e.g. "oci://")`);
  if (!isOci(target)) throw new GoError(`scheme ${quote(scheme)} not supported`);
}

function schemeOf(target: string): string {
  try {
    return parseUrl(target).scheme;
  } catch (cause) {
    throw new GoError(`invalid chart URL format: ${target}`, { cause });
  }
}

function checkArchive(archive: string): Date {
  const stats = statSync(archive, { throwIfNoEntry: false });
  if (stats === undefined) throw new GoError(`${archive}: no such file`);
  if (stats.isDirectory()) throw new GoError('cannot push directory, must provide chart archive (.tgz)');
  return stats.mtime;
}

const readIfThere = (path: string): Uint8Array | undefined => (existsSync(path) ? readBytes(path) : undefined);

/** RFC 3339 without fractions, in the zone of this machine. */
function localTime(time: Date): string {
  const offset = -time.getTimezoneOffset();
  const local = new Date(time.getTime() + offset * 60_000).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const two = (part: number): string => String(Math.trunc(part)).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}
