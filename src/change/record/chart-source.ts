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

/** The record of a release whose chart came from a git repository, or has a signature that was checked. */
export function withChartSource(release: Release, { pinnedUrl, signature }: Chart): Release {
  const noted = [
    [urlAnnotation, pinnedUrl],
    ...Object.entries(signatureAnnotations).map(([name, key]) => [key, signature?.[name as keyof ChartSignature]]),
  ].filter(([, text]) => text !== undefined);
  if (noted.length === 0) return release;
  const { chart } = release;
  const annotations = { ...chart.metadata.annotations, ...Object.fromEntries(noted) };
  return { ...release, chart: { ...chart, metadata: { ...chart.metadata, annotations } } };
}
