import { compareText } from '../support/order.ts';
import type { FieldPath } from './field-path.ts';
import type { Manifest } from './types.ts';

/** An image that manifests run, and which of their resources do. */
export interface UsedImage {
  readonly image: string;
  /** `Deployment/web`, in order. */
  readonly usedBy: readonly string[];
}

/**
 * The images that manifests would run, by name: what is under `image` anywhere in a resource (containers of pods, and
 * custom resources that name theirs so), and image volumes. What ConfigMaps and Secrets hold is text.
 */
export function imagesOf(manifests: readonly Manifest[]): UsedImage[] {
  const users = new Map<string, Set<string>>();
  for (const object of manifests.flatMap((manifest) => listed(manifest.object))) {
    const { kind, metadata } = object;
    if (holdsText(object)) continue;
    for (const { image } of imageFieldsIn(object)) {
      const known = users.get(image) ?? new Set();
      users.set(image, known.add(`${kind}/${metadata?.name}`));
    }
  }
  return [...users]
    .map(([image, usedBy]) => ({ image, usedBy: [...usedBy].sort(compareText) }))
    .sort((a, b) => compareText(a.image, b.image));
}

/** What is under `image` there is text. */
export const holdsText = ({ kind }: Resource): boolean => kind === 'ConfigMap' || kind === 'Secret';

interface Resource {
  readonly kind?: string | undefined;
  readonly metadata?: { readonly name?: string | undefined } | undefined;
  readonly items?: unknown;
}

/** The resources of a list, each by itself; those of a DeploymentList need not say that they are Deployments. */
function listed(object: Resource): readonly Resource[] {
  const { kind = '', items } = object;
  if (!kind.endsWith('List') || !Array.isArray(items)) return [object];
  const resources = items.filter((item): item is Resource => typeof item === 'object' && item !== null);
  return resources.flatMap((item) => listed({ ...item, kind: item.kind ?? kind.slice(0, -'List'.length) }));
}

/** An image, and the field that names it. */
export interface ImageField {
  readonly image: string;
  readonly path: FieldPath;
}

/** The fields of an object that name images, as `imagesOf` finds them. */
export function imageFieldsIn(value: unknown, path: FieldPath = []): readonly ImageField[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => imageFieldsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = [...path, key];
    if (key !== 'image') return imageFieldsIn(inner, below);
    if (typeof inner === 'string') return inner.trim() === '' ? [] : [{ image: inner.trim(), path: below }];
    const reference: unknown =
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'reference') : undefined;
    return typeof reference === 'string' && reference !== ''
      ? [{ image: reference, path: [...below, 'reference'] }]
      : imageFieldsIn(inner, below);
  });
}
