import { itemsOf } from '../manifest/items.ts';
import { mentionsSecret } from '../manifest/mask-secrets.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import { isSecretName } from '../support/secret-names.ts';
import { SecretWords } from '../support/secret-words.ts';
import { objectsIn } from './plan-objects.ts';

/** Under keys such as `username`, shorter ones would hit words that are no secrets. */
const leastLength = 6;

/** Takes the values of the plan's own Secrets out of texts that come from the cluster: logs, events, messages. */
export function secretMask(plan: Plan): (text: string) => string {
  const words = secretWords(plan);
  return (text) => words.redact(text);
}

/** What the plan's own Secrets hold. */
export function secretWords(plan: Plan): SecretWords {
  const words = new SecretWords();
  for (const value of secretsIn(plan)) words.add(value);
  return words;
}

/**
 * What the plan's own Secrets hold, as it is and as it is encoded. A value that is also the name of an object, a
 * container or an image (`postgres`) is no secret: without it nobody could read what is said of them.
 */
export function secretsIn(plan: Plan): readonly string[] {
  const values = objectsIn(plan).flatMap(({ object }) => secretsInObject(object));
  return values.length === 0 ? [] : withoutNames(values, namesInPlan(plan));
}

/** How the objects, containers and images of a plan are called. */
export const namesInPlan = (plan: Plan): readonly string[] => [
  plan.release,
  plan.namespace,
  ...objectsIn(plan).flatMap(({ object }) => namesIn(object)),
];

/** The same of the manifest of a stored release. What cannot be read tells nothing. */
export function secretsInManifest(manifest: string): readonly string[] {
  const secrets = manifest.split(/^---(?:\s.*)?$/m).filter((document) => mentionsSecret(document));
  const values = secrets.flatMap(readObject).flatMap(itemsOf).flatMap(secretsInObject);
  if (values.length === 0) return [];
  const names = [...manifest.matchAll(/^[ \t-]*["']?(?:name|image)["']?:\s*["']?([^"'\s]+)/gm)].map(
    ([, name = '']) => name,
  );
  return withoutNames(values, names);
}

function readObject(document: string): readonly KubernetesObject[] {
  try {
    return [parseManifest(document, 'manifest').object];
  } catch {
    // A document that is no YAML holds no Secret.
    return [];
  }
}

function withoutNames(values: readonly string[], names: readonly string[]): readonly string[] {
  const text = names.join('\n');
  return [...new Set(values)].filter((value) => !text.includes(value));
}

/** What one Secret holds; nothing of an object of another kind. */
export function secretsInObject(object: KubernetesObject): string[] {
  if (object.kind !== 'Secret') return [];
  const plain = Object.entries(textsOf(object['stringData']));
  const encoded = Object.entries(textsOf(object['data'])).flatMap(([key, text]) => [
    [key, text] as const,
    [key, Buffer.from(text, 'base64').toString('utf8')] as const,
  ]);
  return [...plain, ...encoded]
    .map(([key, text]) => [key, text.trim()] as const)
    .filter(([key, text]) => text.length >= leastLength || isSecretName(key))
    .map(([, text]) => text);
}

function namesIn({ metadata, ...content }: KubernetesObject): string[] {
  const names = [metadata.name, metadata.namespace ?? ''];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      const { name, image } = value as { readonly name?: unknown; readonly image?: unknown };
      names.push(...[name, image].filter((one) => typeof one === 'string'));
      Object.values(value).forEach(visit);
    }
  };
  if (content.kind !== 'Secret') visit(content['spec']);
  return names;
}

const textsOf = (map: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries((typeof map === 'object' && map) || {}).filter(([, value]) => typeof value === 'string'),
  ) as Record<string, string>;
