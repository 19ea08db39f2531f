import { verifyArchive } from '../../session/sources.ts';
import { namedSigner } from '../../sigstore/demand.ts';
import type { ChartAccess } from '../../source/chart-access.ts';
import { parseImageReference, signedImage } from '../../source/oci/image-reference.ts';
import { sha256 } from '../../source/oci/manifest.ts';
import type { RegistryClient } from '../../source/oci/registry-client.ts';
import { signatureOf } from '../../source/trust/chart-signature.ts';
import { checkTrust } from '../../source/trust/check.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { SourceFlags } from './named-chart.ts';
import { sourcesOf } from './sources.ts';

export interface VerifiedImage {
  readonly digest: string;
  readonly signedBy: string | undefined;
}

/**
 * What checks the signature of an image in its registry. Errors: `signer-unnamed` where nothing says who may sign, and those
 * of `checkTrust`.
 */
export async function imageVerifier(
  access: ChartAccess,
  flags: SourceFlags,
  context: CliContext,
): Promise<(image: string, registries: readonly RegistryClient[]) => Promise<VerifiedImage>> {
  const sources = await sourcesOf(flags, context).open(access);
  const { trustPolicy } = sources;
  const isNamed = namedSigner(access) !== undefined;
  if (!isNamed && trustPolicy === undefined) {
    const message = '--verify-images needs --key, --certificate-identity, or --trust-policy';
    throw new TshelmError('signer-unnamed', { message });
  }
  const trust = { ...access, trustPolicy, verify: isNamed ? ('sigstore' as const) : false };
  return async (image, registries) => {
    const { registry, repository } = parseImageReference(image);
    const { manifest, signatures } = await signedImage(image, registries);
    const subject = {
      name: image,
      url: image,
      origin: `oci://${registry}/${repository}`,
      bytes: manifest,
      provenance: () => Promise.reject(new Error('images have no PGP signatures')),
      signatures: async () => signatures,
    };
    const verification = await checkTrust(subject, trust, { sources, verify: verifyArchive });
    return { digest: sha256(manifest), signedBy: verification && signatureOf(verification).signer };
  };
}
