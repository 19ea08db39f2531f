import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import {
  type ChartInputs,
  capabilityFlags,
  chartInputFlags,
  chartInputs,
  verifyFlag,
} from '../../actions/options/chart.ts';
import type { GivenCapabilities } from '../../actions/rendering/given-capabilities.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { Chart } from '../../chart/types.ts';
import { withPathErrors } from '../../go/path-error.ts';
import type { GoMap } from '../../go/value.ts';
import type { UsedImage } from '../../manifest/images.ts';
import type { RegistryClient } from '../../source/oci/registry-client.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { formatFlag } from '../flags/flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import { type Io, kindOf } from '../terminal/io.ts';

export const imageFormats = ['table', 'json', 'yaml', 'list'] as const;
export type ImageFormat = (typeof imageFormats)[number];

const ownFlags = {
  ...dependencyUpdateFlag,
  ...offlineFlag,
  ...formatFlag('output', imageFormats, { list: 'one image per line, for mirroring' }),
  resolve: { type: 'bool', description: 'ask the registries for the current digest of each image' },
  verify: verifyFlag('verify the package of the chart before using it, and not its images: --verify-images does that'),
  'verify-images': {
    type: 'bool',
    description:
      'check the sigstore signature of each image: by --key or --certificate-identity where one is given, and by the trust policy',
  },
  pin: {
    type: 'bool',
    description: 'print values that replace the tags of the images with their current digests, instead of the list',
  },
  out: {
    type: 'string',
    placeholder: 'file',
    description: 'with --pin: write the values to this file',
  },
} satisfies Record<string, FlagSpec>;

const imagesFlags = { ...capabilityFlags, ...chartInputFlags, ...ownFlags };

export interface ImagesRequest extends ChartInputs {
  readonly chart: string;
  readonly capabilities: GivenCapabilities;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = printImages): Command =>
  flagCommand('images', imagesFlags, { usage: '[CHART] [flags]', words: { exactly: 1 } }, async (words, flags) => {
    const request: ImagesRequest = {
      chart: words[0] as string,
      capabilities: optionsOf(capabilityFlags, flags),
      ...chartInputs(flags),
      flags,
    };
    await run(request, context);
  }).description('list the images that a chart would run with these values');

/** Renders the chart and prints what it would run. */
export async function printImages(request: ImagesRequest, context: CliContext): Promise<void> {
  const { templateChart } = await import('../../actions/template.ts');
  const { parseManifests } = await import('../../manifest/parse.ts');
  const { imagesOf } = await import('../../manifest/images.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { flags } = request;
  const { io } = context;
  checkPinFlags(request);
  const { chart, values } = await loadRequest({ ...request, reference: request.chart }, context);
  const namespace = await context.namespace(flags);
  const options = { ...request.capabilities, name: 'release-name', namespace, now: io.now };
  const { output, warnings } = await templateChart(chart, values, options);
  for (const warning of warnings) io.stderr.write(`${warning}\n`);
  const images = await listedImages(imagesOf(parseManifests(output)), request, context);
  if (flags.pin) return printPins({ chart, values, images, options }, request, context);
  io.stdout.write(await imagesText(images, flags.output, io), kindOf(flags.output));
}

function checkPinFlags({ flags: { pin, out, output } }: ImagesRequest): void {
  if (out !== undefined && !pin) throw new TshelmError('bad-flag', { message: '--out needs --pin' });
  if (pin && output === 'list')
    throw new TshelmError('bad-flag', { message: '--pin prints values: -o yaml (the default) or json' });
}

interface Pinning {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly images: readonly ListedImage[];
  readonly options: GivenCapabilities & { readonly name: string; readonly namespace: string; readonly now: () => Date };
}

/** An image that no value would replace is named; the command then ends with a failure. */
async function printPins(
  { chart, values, images, options }: Pinning,
  { flags }: ImagesRequest,
  context: CliContext,
): Promise<void> {
  const { pinImages } = await import('../../actions/pin-images.ts');
  const { givenCapabilities } = await import('../../actions/rendering/given-capabilities.ts');
  const { formattedValue } = await import('../terminal/format.ts');
  const { name, namespace, now } = options;
  const digests = new Map(images.flatMap(({ image, digest }) => (digest === undefined ? [] : [[image, digest]])));
  const pins = await pinImages(chart, values, {
    release: { name, namespace, revision: 1, isInstall: true },
    capabilities: givenCapabilities(options),
    now,
    digests,
  });
  for (const image of pins.unpinned) {
    const usedBy = images.find((one) => one.image === image)?.usedBy.join(', ');
    context.io.stderr.write(
      `warning: ${image} (${usedBy}) stays as it is: no value sets its digest without changing something else\n`,
    );
    context.endWith(1);
  }
  const text = formattedValue(pins.values, flags.output === 'json' ? 'json' : 'yaml');
  const { out } = flags;
  if (out === undefined) return context.io.stdout.write(text, 'data');
  withPathErrors('open', out, () => writeFileSync(resolve(context.io.cwd, out), text));
}

interface ListedImage extends UsedImage {
  readonly digest?: string | undefined;
  /** With --verify-images: who has signed it. */
  readonly signedBy?: string | undefined;
}

type Look = (image: string, registries: readonly RegistryClient[]) => Promise<Omit<ListedImage, keyof UsedImage>>;

/** What cannot be resolved or verified is told of, and stays without a digest; the command then ends with a failure. */
async function listedImages(
  images: readonly UsedImage[],
  request: ImagesRequest,
  context: CliContext,
): Promise<readonly ListedImage[]> {
  const look = await lookOf(request, context);
  if (look === undefined) return images;
  const registriesOf = await registries(request, context);
  return Promise.all(
    images.map(async (used) => {
      const found = await look(used.image, registriesOf(used.image)).catch((cause: unknown) => {
        if (cause instanceof DOMException) throw cause;
        context.io.stderr.write(context.secrets.redact(`warning: ${used.image}: ${messageOf(cause)}\n`));
        context.endWith(1);
        return {};
      });
      return { ...used, ...found };
    }),
  );
}

async function lookOf(request: ImagesRequest, context: CliContext): Promise<Look | undefined> {
  const { flags, access } = request;
  if (flags.verifyImages) {
    const { imageVerifier } = await import('../sources/verified-image.ts');
    return imageVerifier(access, flags, context);
  }
  if (!flags.resolve && !flags.pin) return undefined;
  const { imageDigest } = await import('../../source/oci/image-reference.ts');
  return async (image, registriesOfIt) => ({ digest: await imageDigest(image, registriesOfIt) });
}

/**
 * What the flags say of credentials is meant for the chart's own registry, and for no other. With --plain-http any may
 * speak plain HTTP, and is tried so where it does not speak TLS.
 */
async function registries(
  { chart, access, flags }: ImagesRequest,
  context: CliContext,
): Promise<(image: string) => readonly RegistryClient[]> {
  const { sourcesOf } = await import('../sources/sources.ts');
  const { parseImageReference } = await import('../../source/oci/image-reference.ts');
  const own = (await sourcesOf(flags, context).open(access)).registry;
  const { caFile, certFile, keyFile, insecureSkipTlsVerify, plainHttp } = access;
  const tls = { caFile, certFile, keyFile, insecureSkipTlsVerify };
  const others = [(await sourcesOf(flags, context).open(tls)).registry];
  if (plainHttp) others.push((await sourcesOf(flags, context).open({ plainHttp })).registry);
  return (image) => (chart.startsWith(`oci://${parseImageReference(image).registry}/`) ? [own] : others);
}

async function imagesText(images: readonly ListedImage[], format: ImageFormat, io: Io): Promise<string> {
  const exact = ({ image, digest }: ListedImage): string =>
    digest === undefined || image.includes('@') ? image : `${image}@${digest}`;
  switch (format) {
    case 'list':
      return images.map((image) => `${exact(image)}\n`).join('');
    case 'json':
    case 'yaml': {
      const { formatted } = await import('../terminal/format.ts');
      return formatted(images, format);
    }
    case 'table': {
      const { fittedTable } = await import('../terminal/fitted-table.ts');
      const rows = images.map((image) => [exact(image), image.usedBy.join(', ')]);
      return fittedTable([['IMAGE', 'USED BY'], ...rows], io);
    }
  }
}
