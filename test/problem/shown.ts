import type { FieldPath } from '../../src/manifest/field-path.ts';
import type { ResourceId } from '../../src/manifest/types.ts';
import { fieldsIn, type Place } from '../../src/problem/place.ts';
import {
  isOfObject,
  type ObjectProblem,
  type ObjectSubject,
  type Problem,
  problemOf,
} from '../../src/problem/problem.ts';
import { Quote } from '../../src/problem/quote.ts';
import { evidenceLines } from '../../src/words/evidence.ts';
import { factText } from '../../src/words/fact.ts';
import { remedyText } from '../../src/words/remedy.ts';

/** What a person reads of a problem, part by part. */
export function shown(problem: Problem | undefined) {
  if (problem === undefined) return undefined;
  const subject = isOfObject(problem) ? problem.subject : undefined;
  return {
    problem: factText(problem.cause),
    symptom: problem.symptom && factText(problem.symptom),
    name: subject?.id.name,
    file: subject?.template,
    line: subject?.line,
    fields: fieldsIn(problem.places),
    values: problem.places.filter(({ kind }) => kind === 'value'),
    files: problem.places.filter(({ kind }) => kind === 'file'),
    fixes: problem.remedies.map(remedyText),
    log: evidenceLines(problem, 'log'),
    facts: [...evidenceLines(problem, 'event'), ...evidenceLines(problem, 'change')],
    command: problem.evidence.find(({ command }) => command !== undefined)?.command,
  };
}

export interface Parts {
  readonly file?: string;
  readonly line?: number | undefined;
  readonly problem?: string;
  readonly symptom?: string;
  readonly said?: string;
  readonly places?: readonly Place[];
  readonly fixes?: readonly string[];
  readonly log?: readonly string[];
  readonly facts?: readonly string[];
  readonly command?: string;
  readonly state?: Problem['state'];
}

/** A problem of an object in these words. */
export function madeProblem(id: ResourceId, parts: Parts = {}): ObjectProblem {
  const { file = '', line, problem = 'x', symptom, said, log = [], facts = [], command, fixes = [] } = parts;
  const subject: ObjectSubject = { kind: 'object', id, template: file, line };
  return problemOf({
    subject,
    cause: inWords(problem),
    ...(symptom !== undefined && { symptom: inWords(symptom) }),
    places: parts.places ?? [],
    remedies: fixes.map((name) => ({ kind: 'outside', what: 'push-image', name }) as const),
    evidence: [
      ...(said === undefined ? [] : [{ kind: 'message' as const, lines: [new Quote(said)] }]),
      { kind: 'log', lines: log.map((text) => new Quote(text)), command },
      { kind: 'event', lines: facts.map((text) => new Quote(text)) },
    ],
    state: parts.state,
  });
}

const inWords = (text: string) => ({ outlook: 'open', code: 'not-ready', words: new Quote(text) }) as const;

/** A field of an object as a place. */
export const fieldAt = (object: ResourceId, template: string, path: FieldPath, word?: string) =>
  ({ kind: 'field', object, template, path, word }) as const;
