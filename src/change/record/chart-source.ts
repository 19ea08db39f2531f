import type { Chart, ChartSignature } from '../../chart/types.ts';
import type { Release } from '../../release/types.ts';

/**
 * In the annotations of a recorded chart, which Helm shows (`helm get metadata`) and carries on: the URL and the commit that
 * it came from, and who has signed it.
 */
const urlAnnotation = 'tshelm.dev/chart-url';
const signatureAnnotations: Readonly<Record<keyof ChartSignature, string>> = {
  digest: 'tshelm.dev/chart-digest',
  signer: 'tshelm.dev/signed-by',
  issuer: 'tshelm.dev/signer-issuer',
  logIndex: 'tshelm.dev/signature-log-index',
};

const ownAnnotations: readonly string[] = [urlAnnotation, ...Object.values(signatureAnnotations)];

/**
 * The record of a release whose chart came from a git repository, or has a signature that was checked. What a chart claims
 * about itself in these annotations is not recorded.
 */
export function withChartSource(release: Release, { pinnedUrl, signature }: Chart): Release {
  const noted = [
    [urlAnnotation, pinnedUrl],
    ...Object.entries(signatureAnnotations).map(([name, key]) => [key, signature?.[name as keyof ChartSignature]]),
  ].filter(([, text]) => text !== undefined);
  const { chart } = release;
  const { annotations = {} } = chart.metadata;
  const hasClaims = ownAnnotations.some((key) => annotations[key] !== undefined);
  if (noted.length === 0 && !hasClaims) return release;
  const own = Object.entries(annotations).filter(([key]) => !ownAnnotations.includes(key));
  const recorded = { ...Object.fromEntries(own), ...Object.fromEntries(noted) };
  return { ...release, chart: { ...chart, metadata: { ...chart.metadata, annotations: recorded } } };
}

/** The signature that a record notes for its chart. */
export function recordedSignature({ chart }: Pick<Release, 'chart'>): ChartSignature | undefined {
  const { annotations = {} } = chart.metadata;
  const found = Object.entries(signatureAnnotations).map(([name, key]) => [name, annotations[key]]);
  const { digest, signer, ...rest } = Object.fromEntries(
    found.filter(([, text]) => text !== undefined),
  ) as Partial<ChartSignature>;
  return digest === undefined || signer === undefined ? undefined : { digest, signer, ...rest };
}
