import { ifReadable } from '../../go/if-readable.ts';
import { parseDuration } from '../../go/time/duration.ts';
import { annotationPrefixes, type Fate, fates } from '../fates.ts';
import { controllerOf, type Resource } from '../resource.ts';
import type { ControllerContext } from './context.ts';

/** An annotation of the sandbox on an object or, where it has none, on what controls it. */
export function sandboxAnnotation(context: ControllerContext, object: Resource, word: string): string | undefined {
  const chain = [...withOwners(context, object)];
  const annotated = chain
    .flatMap(({ metadata }) => annotationPrefixes.map((prefix) => metadata.annotations?.[`${prefix}${word}`]))
    .find((value) => value !== undefined);
  const { annotation } = context.environment;
  return annotation === undefined ? annotated : annotation(word, chain, annotated);
}

function* withOwners(context: ControllerContext, object: Resource): Generator<Resource> {
  for (let at: Resource | undefined = object; at !== undefined; at = ownerOf(context, at)) yield at;
}

function ownerOf({ environment }: ControllerContext, object: Resource): Resource | undefined {
  const owner = controllerOf(object);
  if (owner === undefined) return undefined;
  const kind = environment.kinds.of(owner.apiVersion, owner.kind);
  if (kind === undefined) return undefined;
  return environment.store.get(`${kind.group}/${kind.plural}`, object.metadata.namespace, owner.name);
}

/** A Go duration in an annotation, in milliseconds; undefined where there is none or it cannot be read. */
export function annotatedMs(context: ControllerContext, object: Resource, word: string): number | undefined {
  const text = sandboxAnnotation(context, object, word);
  if (text === undefined) return undefined;
  return ifReadable(() => Number(parseDuration(text)) / 1e6);
}

export function fateOf(context: ControllerContext, pod: Resource): Fate {
  const word = sandboxAnnotation(context, pod, 'fate') as Fate | undefined;
  if (word !== undefined && fates.includes(word)) return word;
  return sandboxAnnotation(context, pod, 'fail-times') === undefined ? 'ok' : 'fail';
}

/** How often a failing pod fails before it succeeds; Infinity without `fail-times`. */
export function failTimes(context: ControllerContext, pod: Resource): number {
  const text = sandboxAnnotation(context, pod, 'fail-times');
  return text === undefined || Number.isNaN(Number(text)) ? Number.POSITIVE_INFINITY : Number(text);
}
