import { prepareForRelease, type Rendered, type RenderSettings, renderForRelease } from '../change/rendering/render.ts';
import { deepCopy, isTable, mergeMaps, valueIn } from '../chart/tables.ts';
import type { Chart } from '../chart/types.ts';
import { formatValue } from '../go/fmt/format.ts';
import type { GoMap, Value } from '../go/value.ts';
import { labelValueProblem } from '../kinds/names.ts';
import { pathText } from '../manifest/field-path.ts';
import { holdsText, type ImageField, imageFieldsIn } from '../manifest/images.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { documentOf } from '../render/document-trace.ts';
import { readsOfField, valuesOfField } from '../render/field-values.ts';
import type { RenderReleaseOptions } from '../render/release.ts';
import { parseImageReference } from '../source/oci/image-reference.ts';
import { isDigits } from '../support/text.ts';

export interface PinOptions extends RenderSettings {
  readonly release: RenderReleaseOptions['release'];
  readonly skipSchemaValidation?: boolean | undefined;
  /** The digests by the images' names; an image without one stays as it is. */
  readonly digests: ReadonlyMap<string, string>;
}

export interface PinnedImages {
  /** The values that replace tags by digests, and nothing else. */
  readonly values: GoMap;
  /** The images whose digest is known, but no value that would set it. */
  readonly unpinned: readonly string[];
}

/**
 * The values with which a chart runs its images by their digests. Which value an image comes from is read from the trace of
 * the templates; a value is kept only if the chart, rendered again with it, names exactly the image meant and changes no
 * other. Errors: those of rendering the chart.
 */
export async function pinImages(chart: Chart, given: GoMap, options: PinOptions): Promise<PinnedImages> {
  const render = (pinned: GoMap) => renderedImages(chart, mergeMaps(given, pinned), options);
  const first = await render(new Map());
  let pinned: GoMap = new Map();
  let images = first.images;
  for (const [key, field] of first.images) {
    if (!needsPin(images.get(key), options)) continue;
    for (const { keys, value } of candidatesFor(field, first.rendered, options)) {
      const tried = withValue(pinned, keys, value, first.rendered.again?.values);
      const result = await render(tried).catch(() => undefined);
      if (result === undefined || !pinsOnly(first, result, options)) continue;
      if (needsPin(result.images.get(key), options)) continue;
      [pinned, images] = [tried, result.images];
      break;
    }
  }
  const left = [...images.values()].filter((field) => needsPin(field, options));
  return { values: pinned, unpinned: [...new Set(left.map(({ image }) => image))] };
}

interface FoundImage extends ImageField {
  readonly source: string;
  readonly object: KubernetesObject;
}

interface RenderedImages {
  readonly rendered: Rendered;
  /** By object and field. */
  readonly images: ReadonlyMap<string, FoundImage>;
  readonly badLabels: ReadonlySet<string>;
}

async function renderedImages(chart: Chart, values: GoMap, options: PinOptions): Promise<RenderedImages> {
  const { release, skipSchemaValidation, digests: _, ...settings } = options;
  const prepared = await prepareForRelease(chart, values, { isInstall: true, warnsOfCrds: false });
  const rendered = await renderForRelease(prepared, values, { release, skipSchemaValidation }, settings);
  const hooks = rendered.hooks.map(({ manifest, path }) => parseManifest(manifest, path));
  const objects = [...rendered.manifests, ...hooks];
  const images = objects.flatMap(({ source, object }, index) =>
    holdsText(object)
      ? []
      : imageFieldsIn(object).map((field) => {
          const key = `${source} ${index} ${object.kind}/${object.metadata?.name} ${pathText(field.path)}`;
          return [key, { ...field, source, object }] as const;
        }),
  );
  const badLabels = objects.flatMap(({ object }, index) => badLabelsIn(object).map((label) => `${index} ${label}`));
  return { rendered, images: new Map(images), badLabels: new Set(badLabels) };
}

/** Labels often show a tag, and a digest is too long for one. */
function badLabelsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(badLabelsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isLabels = (key === 'labels' || key === 'matchLabels') && typeof inner === 'object' && inner !== null;
    if (!isLabels) return badLabelsIn(inner);
    return Object.entries(inner).flatMap(([name, label]) =>
      typeof label === 'string' && labelValueProblem(label) !== undefined ? [`${name}=${label}`] : [],
    );
  });
}

const needsPin = (field: FoundImage | undefined, { digests }: PinOptions): boolean =>
  field !== undefined && digests.has(field.image) && parseImageReference(field.image).digest === '';

/** Whether a render differs from the first one in nothing but digests, as far as images and labels go. */
function pinsOnly(first: RenderedImages, result: RenderedImages, { digests }: PinOptions): boolean {
  if (result.images.size !== first.images.size) return false;
  if ([...result.badLabels].some((label) => !first.badLabels.has(label))) return false;
  return [...first.images].every(([key, { image }]) => {
    const now = result.images.get(key)?.image;
    return now === image || (now !== undefined && isPinned(now, image, digests.get(image)));
  });
}

function isPinned(now: string, before: string, digest: string | undefined): boolean {
  const [pinned, meant] = [parseImageReference(now), parseImageReference(before)];
  return (
    pinned.digest === digest &&
    pinned.registry === meant.registry &&
    pinned.repository === meant.repository &&
    (pinned.tag === '' || pinned.tag === meant.tag)
  );
}

interface Candidate {
  readonly keys: readonly string[];
  readonly value: string;
}

/** The values that may turn an image into its digest, those made for it first. */
function candidatesFor(field: FoundImage, { again }: Rendered, { digests }: PinOptions): readonly Candidate[] {
  const { image, object, source, path } = field;
  const document = again && documentOf(again, source, { kind: object.kind, name: object.metadata?.name });
  if (again === undefined || document === undefined) return [];
  const { made, decided } = readsOfField(document, path, again.values);
  const shown = valuesOfField(document, path, again.values);
  const named = [...made, ...decided].flatMap(({ keys, isKey }) => (keys === undefined || isKey ? [] : [keys]));
  const reads = new Map([...shown, ...named].map((keys) => [keys.join('\0'), keys]));
  const digest = digests.get(image) as string;
  const all = [...reads.values()].flatMap((keys) =>
    candidatesOf(valueIn(again.values, keys), String(keys.at(-1)), { image, digest }).map((one) => ({ ...one, keys })),
  );
  return all.sort((a, b) => a.rank - b.rank);
}

interface Meant {
  readonly image: string;
  readonly digest: string;
}

/** What a value may be replaced by; of a lower rank is what is more surely meant for it. */
function candidatesOf(
  value: Value,
  key: string,
  { image, digest }: Meant,
): readonly { readonly rank: number; readonly value: string }[] {
  if (isTable(value) || Array.isArray(value)) return [];
  const { tag } = parseImageReference(image);
  const text = value === undefined || value === null ? '' : formatValue(value).trim();
  const isUnset = text === '';
  if (isUnset && /digest|sha/i.test(key))
    return [
      { rank: 0, value: digest },
      { rank: 1, value: digest.slice(digest.indexOf(':') + 1) },
    ];
  if (text === tag || (isUnset && /tag|version/i.test(key))) return [{ rank: 2, value: `${tag}@${digest}` }];
  if (!isUnset && image.endsWith(text)) return [{ rank: 3, value: `${text}@${digest}` }];
  return text.includes('{{') ? [{ rank: 4, value: `${image}@${digest}` }] : [];
}

/** The same values with one more; a list is written as a whole, since values replace lists. */
function withValue(values: GoMap, keys: readonly string[], value: string, rendered: Value): GoMap {
  const item = keys.findIndex(isDigits);
  const [above, below] = item < 0 ? [keys, []] : [keys.slice(0, item), keys.slice(item)];
  const known = valueIn(values, above) ?? valueIn(rendered, above);
  const leaf = below.length === 0 || !Array.isArray(known) ? value : replaced(deepCopy(known), below, value);
  return mergeMaps(values, nested(Array.isArray(known) ? above : keys, leaf));
}

function replaced(list: Value, keys: readonly string[], value: string): Value {
  const holder = valueIn(list, keys.slice(0, -1));
  const last = keys.at(-1) as string;
  if (holder instanceof Map) holder.set(last, value);
  else if (Array.isArray(holder)) holder[Number(last)] = value;
  return list;
}

const nested = (keys: readonly string[], value: Value): GoMap =>
  keys.reduceRight<Value>((inner, key) => new Map([[key, inner]]), value) as GoMap;
