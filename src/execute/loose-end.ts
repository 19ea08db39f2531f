import type { FaultField, ObjectFault } from './faults.ts';

/** A mistake that no message tells and that may lie behind a fault: a selector without pods, a value that nothing reads. */
export interface LooseEnd {
  /** All of it in one line, for what it explains nothing of. */
  readonly note: string;
  readonly problem: string;
  readonly fix: string;
  /** Where it is written. */
  readonly field: FaultField;
  readonly explains: (fault: ObjectFault) => boolean;
}

/** Faults with the causes that loose ends tell, and notes of the loose ends that explain none. */
export function explainedFaults(faults: readonly ObjectFault[], ends: readonly LooseEnd[]) {
  const told = faults.map((fault) => ({ fault, end: ends.find((end) => isFor(end, fault)) }));
  const rest = ends.filter((end) => told.every((one) => one.end !== end));
  return {
    objectFaults: told.map(({ fault, end }) => (end === undefined ? fault : withCause(fault, end))),
    notes: rest.map(({ note }) => note),
  };
}

const isFor = ({ explains }: LooseEnd, fault: ObjectFault): boolean =>
  fault.problem !== undefined && fault.symptom === undefined && explains(fault);

const withCause = (fault: ObjectFault, { problem, fix, field }: LooseEnd): ObjectFault => ({
  ...fault,
  problem,
  symptom: fault.problem,
  fields: [field],
  fixes: [fix],
});
