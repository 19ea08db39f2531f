import { holdsData } from '../../execute/apply/holds-data.ts';
import { immutableChoices, isImmutableChoice } from '../../execute/replace-rules.ts';
import { annotations } from '../../manifest/annotations.ts';
import { itemsOf } from '../../manifest/items.ts';
import { hasObject } from '../../manifest/parse.ts';
import { formatId, idOf, isNamedAmong, kindAndName } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';
import type { Assessed } from '../phases.ts';
import type { ReplaceOptions } from './replace-options.ts';

/**
 * Refuses names and rules that no object of the plan answers to, and data that is named without a second word.
 * Errors: `invalid-arguments`, `invalid-manifest`.
 */
export function checkReplacements({ options, manifests, plan, action }: Assessed): void {
  if (action === 'uninstall' || action === 'test') return;
  const objects = manifests
    .filter(hasObject)
    .flatMap(({ object, source }) => itemsOf(object).map((item) => ({ object: item, source })));
  const ids = objects.map(({ object }) => idOf(object, plan.namespace));
  const problems = [
    ...(options.replaceObjects ?? []).flatMap((name) => mistakeInName(name, ids)),
    ...Object.entries(options.onImmutable ?? {}).flatMap(([name, choice]) => mistakeInRule(name, choice)),
  ];
  if (problems.length > 0) throw new TshelmError('invalid-arguments', { message: problems.join('\n') });
  refuseData(ids, options);
  // A revision that is stored is taken as it is.
  if (action !== 'rollback') for (const { object, source } of objects) checkAnnotation(object, source);
}

function mistakeInName(name: string, ids: readonly ResourceId[]): readonly string[] {
  const id = ids.find((one) => isNamedAmong(one, [name]));
  if (id?.kind === 'Namespace') return [`${formatId(id)} is never replaced: everything in it would be deleted`];
  if (id !== undefined) return [];
  return [`the release has no object ${JSON.stringify(name)} to replace; ${wayToName(name, ids)}`];
}

/** A name much like it, or all of its kind. Data is never proposed: another claim would be deleted for that one. */
function wayToName(name: string, ids: readonly ResourceId[]): string {
  const kind = name.split('/').at(-2)?.toLowerCase();
  const same = ids.filter((one) => one.kind.toLowerCase() === kind);
  const proposable = ids.filter((one) => !holdsData(one.kind)).map(kindAndName);
  const near = same.some((one) => holdsData(one.kind)) ? undefined : nearest(name, proposable);
  if (near !== undefined) return `did you mean ${near}?`;
  return same.length === 0
    ? 'name one as KIND/NAME or NAMESPACE/KIND/NAME'
    : `of that kind it has ${[...new Set(same.map(kindAndName))].join(', ')}`;
}

function refuseData(ids: readonly ResourceId[], { replaceObjects = [], allowDataLoss }: ReplaceOptions): void {
  const data = ids.filter((id) => holdsData(id.kind) && isNamedAmong(id, replaceObjects));
  if (allowDataLoss || data.length === 0) return;
  throw new TshelmError('invalid-arguments', {
    message: `replacing ${data.map(formatId).join(', ')} deletes data that cannot be created again`,
    details: { remedies: [{ kind: 'set-option', option: 'allowDataLoss' }] },
  });
}

function mistakeInRule(name: string, choice: unknown): readonly string[] {
  const parts = name.split('/');
  if (name !== '*' && (parts.length !== 2 || parts.includes('')))
    return [`onImmutable: ${JSON.stringify(name)} names no object; write Kind/name, Kind/* or *`];
  return isImmutableChoice(choice) ? [] : [`onImmutable: ${name}: ${badChoice(choice)}`];
}

function checkAnnotation({ kind, metadata }: KubernetesObject, source: string): void {
  const choice: unknown = metadata.annotations?.[annotations.onImmutable];
  if (choice === undefined || isImmutableChoice(choice)) return;
  throw new TshelmError('invalid-manifest', {
    message: `${source}: annotation ${annotations.onImmutable} of ${kind}/${metadata.name}: ${badChoice(choice)}`,
    details: { source },
  });
}

const badChoice = (choice: unknown): string => `${JSON.stringify(choice)} is not one of ${immutableChoices.join(', ')}`;
