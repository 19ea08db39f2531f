import type { VerifyArchive } from '../../source/chart-access.ts';
import { chartOnDisk, fetchIntoCache } from '../../source/fetch-chart.ts';
import { defaultKeyring } from '../../source/provenance/keyring.ts';
import type { DownloadContext, NamedChart } from './named-chart.ts';
import { openSources } from './sources.ts';

/** The path of a chart that is not simply a path: verified, or fetched into the content cache. */
export async function fetchNamedChart(named: NamedChart, context: DownloadContext): Promise<string> {
  const { reference, flags, told = 'stderr' } = named;
  const access = { ...named.access, keyring: named.access.keyring ?? defaultKeyring(context.io.env) };
  const path = await chartOnDisk(reference, access, verifyArchive);
  if (path !== undefined) return path;
  const sources = await openSources(flags, access, context, (text) => context.io[told].write(text));
  return fetchIntoCache(reference.trim(), access, { sources, verify: verifyArchive });
}

/** OpenPGP is loaded where something is verified. */
export const verifyArchive: VerifyArchive = async (files) =>
  (await import('../../source/provenance/verify.ts')).verifyArchive(files);
