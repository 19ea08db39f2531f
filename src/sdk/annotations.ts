import { posix } from 'node:path';
import { isOfObject, type ObjectProblem, placeToChange } from '../problem/problem.ts';
import { type CommandProperties, workflowCommand } from '../show/workflow-command.ts';
import { addedDetail, hasCode, messageOf } from '../support/errors.ts';
import { factText } from '../words/fact.ts';
import { remedyText } from '../words/remedy.ts';
import { checkShape, oneOf, type Shape, text } from './option-checks.ts';

export interface AnnotationsOptions {
  /** The chart's folder from the root of the repository: mistakes are then marked in its files. Default: in no file. */
  readonly chart?: string | undefined;
  /** Default `error`. */
  readonly level?: 'error' | 'warning' | 'notice' | undefined;
  /** What stands above each. Default `tshelm`. */
  readonly title?: string | undefined;
}

const shape: Shape<AnnotationsOptions> = { chart: text, level: oneOf('error', 'warning', 'notice'), title: text };

/** As many as GitHub shows of one step. */
const maxAnnotations = 10;

/**
 * A failure, or a text, as annotations of GitHub Actions: lines to print, each an escaped `::error …::` command. One for each
 * object at fault, or each mistake in a file, and otherwise one with the message.
 */
export function annotations(failure: unknown, options: AnnotationsOptions = {}): readonly string[] {
  checkShape(options, shape);
  const { chart, level = 'error', title = 'tshelm' } = options;
  return found(failure, chart)
    .slice(0, maxAnnotations)
    .map(({ at, subject, message }) =>
      workflowCommand(level, { ...at, title: subject === undefined ? title : `${title}: ${subject}` }, message),
    );
}

interface Annotation {
  readonly at: CommandProperties;
  /** `Deployment/web` */
  readonly subject?: string;
  readonly message: string;
}

function found(failure: unknown, chart: string | undefined): readonly Annotation[] {
  if (hasCode(failure, 'stack-failed')) {
    const errors = Object.entries(failure.details.errors);
    if (errors.length > 0)
      return errors.flatMap(([id, error]) =>
        found(error, undefined).map((one) => ({ ...one, subject: [id, one.subject].filter(Boolean).join(' ') })),
      );
  }
  const objects = (addedDetail(failure, 'problems') ?? [])
    .filter(isOfObject)
    .flatMap((problem) => ofObject(problem, chart));
  if (objects.length > 0) return objects;
  if (hasCode(failure, 'wait-failed', 'wait-timeout'))
    return failure.details.unready.map(({ id, reason }) => ({
      at: {},
      subject: `${id.kind}/${id.name}`,
      message: reason,
    }));
  const place = addedDetail(failure, 'place');
  const faults = addedDetail(failure, 'faults') ?? [];
  if (place !== undefined || faults.length === 0)
    return [{ at: place === undefined ? {} : inFile(place, chart), message: messageOf(failure) }];
  return faults.map((fault) => ({ at: inFile(fault, chart), message: fault.text }));
}

/** At the line of the value to be changed, or of the field, or where the object begins. */
function ofObject(problem: ObjectProblem, chart: string | undefined): readonly Annotation[] {
  const { subject, cause, remedies, state } = problem;
  if (cause.code === 'not-sent' || state === 'unjudged') return [];
  const { value, ...template } = placeToChange(problem);
  const at = value?.line !== undefined && !value.isGiven ? value : template;
  const message = [factText(cause), ...remedies.map(remedyText)].join('\n');
  return [{ at: inFile(at, chart), subject: `${subject.id.kind}/${subject.id.name}`, message }];
}

interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Files of a chart are named with the chart's name before them, which is not its folder's. */
function inFile({ file = '', line, column }: Place, chart: string | undefined): CommandProperties {
  const [, ...path] = file.split('/');
  const isRendered = file.endsWith(' (rendered)');
  if (chart === undefined || path.length === 0 || isRendered) return {};
  return { file: posix.join(chart, ...path), line, col: column };
}
