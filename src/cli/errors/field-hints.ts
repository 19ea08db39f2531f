import type { FaultField, ObjectFault } from '../../execute/faults.ts';
import { addedDetail, TshelmError } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';

/** The same failure; of each field that a built-in kind does not have, the one that has nearly its name is told. */
export async function withFieldHints(failure: unknown): Promise<unknown> {
  const faults = addedDetail(failure, 'objectFaults') ?? [];
  if (!(failure instanceof TshelmError) || !faults.some(isOfFields)) return failure;
  // The schema of all kinds: nobody reads it who does not need it.
  const { nearestField } = await import('../../kinds/nearest-field.ts');
  const hintOf = ({ id }: ObjectFault, { path }: FaultField): string[] => {
    const found = nearestField(id, path, nearest);
    return found === undefined ? [] : [`did you mean ${found.meant} instead of ${found.field}?`];
  };
  const objectFaults = faults.map((fault) => {
    const hints = isOfFields(fault) ? (fault.fields ?? []).flatMap((field) => hintOf(fault, field)) : [];
    return hints.length === 0 ? fault : { ...fault, fixes: [...hints, ...(fault.fixes ?? [])] };
  });
  return failure.wrapped({ message: failure.message, details: { objectFaults } });
}

const isOfFields = ({ problem = '' }: ObjectFault): boolean => /not declared in schema|unknown field/.test(problem);
