import type { ForeignObject, Owner } from '../../execute/apply/ownership.ts';
import { evidenceOf, objectSubject } from '../../execute/faults.ts';
import { idOf, kindAndName } from '../../manifest/resource-id.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import { type ObjectProblem, problemOf } from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { groupBy } from '../../support/group-by.ts';
import { wordsOfMove } from '../record/unfinished-move.ts';

/**
 * Objects in the way of a release: those of one owner have the same ways out, in one command for all of them. What no
 * release owns, such as what an uninstall kept, is adopted.
 */
export function foreignProblems(
  foreign: readonly ForeignObject[],
  to: Owner,
  manifests: readonly Manifest[],
): readonly ObjectProblem[] {
  const sources = new Map(manifests.map(({ object, source }) => [kindAndName(idOf(object)), source]));
  return [...groupBy(foreign, ({ owner }) => `${owner?.namespace} ${owner?.release}`).values()].flatMap((same) => {
    const remedies: readonly Remedy[] = [moveRemedy(same, to), { kind: 'set-option', option: 'takeOwnership' }];
    return same.map(({ id, owner, conflict }) =>
      problemOf({
        subject: objectSubject(id, sources.get(kindAndName(id))),
        cause: { code: 'owned-elsewhere', ...(owner && { owner }) },
        places: [],
        remedies,
        evidence: evidenceOf('message', conflict === undefined ? [] : [conflict]),
      }),
    );
  });
}

/** The command by which the objects become the release's. */
function moveRemedy(objects: readonly ForeignObject[], to: Owner): Remedy {
  const from = objects[0]?.owner;
  const names = objects.map(({ id }) => nameFor(id, from ?? to));
  return from === undefined
    ? { kind: 'run', verb: 'adopt', ...wordsOfMove({ kind: 'adopt', to, objects: names }) }
    : { kind: 'run', verb: 'move', ...wordsOfMove({ kind: 'move', from, to, objects: names }) };
}

/** As commands that work on a release take it. */
const nameFor = ({ kind, name, namespace }: ResourceId, owner: Owner): string =>
  namespace === '' || namespace === owner.namespace ? `${kind}/${name}` : `${namespace}/${kind}/${name}`;
