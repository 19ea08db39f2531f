import type { ObjectSource, SourceField } from '../execute/sources.ts';
import { addedDetail, messageOf, TshelmError } from '../support/errors.ts';
import { nearest } from '../support/near.ts';

/** The same failure; of each field that a built-in kind does not have, the one that has nearly its name is told. */
export async function withFieldHints(failure: unknown): Promise<unknown> {
  const sources = addedDetail(failure, 'sources') ?? [];
  const told = [messageOf(failure), ...sources.map(({ problem = '' }) => problem)].join('\n');
  if (!(failure instanceof TshelmError) || !/not declared in schema|unknown field/.test(told)) return failure;
  // The schema of all kinds: nobody reads it who does not need it.
  const { nearestField } = await import('../sandbox/nearest-field.ts');
  const hintOf = ({ id }: ObjectSource, { path }: SourceField): string[] => {
    const found = nearestField(id, path, nearest);
    return found === undefined
      ? []
      : [`did you mean ${found.meant} instead of ${found.field} in ${id.kind}/${id.name}?`];
  };
  const hints = sources.flatMap((source) => (source.fields ?? []).flatMap((field) => hintOf(source, field)));
  const before = addedDetail(failure, 'hints') ?? [];
  const { message } = failure;
  return hints.length === 0 ? failure : failure.wrapped({ message, details: { hints: [...before, ...hints] } });
}
