import type { Chart, ChartSignature } from '../../chart/types.ts';
import type { Verification } from '../chart-access.ts';
import type { ChartOnDisk } from '../fetch-chart.ts';

/** A chart with what is known of where it came from: the URL that names it for good, and who has signed it. */
export function withSource(chart: Chart, { pinnedUrl, verification }: ChartOnDisk): Chart {
  if (pinnedUrl === undefined && verification === undefined) return chart;
  return { ...chart, pinnedUrl, signature: verification && signatureOf(verification) };
}

/** The signature as a chart carries it on. */
export function signatureOf({ identities, fingerprint, fileHash, ...rest }: Verification): ChartSignature {
  const { manifestDigest, issuer, logIndex } = rest;
  return { digest: manifestDigest ?? fileHash, signer: identities[0] ?? `key ${fingerprint}`, issuer, logIndex };
}
