import { posix } from 'node:path';
import { type Problem, perDeclaration, placeToChange } from '../problem/problem.ts';
import { type CommandProperties, workflowCommand } from '../show/workflow-command.ts';
import { addedDetail, hasCode, messageOf, problemsOf } from '../support/errors.ts';
import { factText } from '../words/fact.ts';
import { labelOf } from '../words/problem.ts';
import { remedyForPrograms } from '../words/remedy.ts';
import { checkShape, oneOf, type Shape, text } from './option-checks.ts';

export interface AnnotationsOptions {
  /** The chart's folder from the root of the repository: mistakes are then marked in its files. Default: in no file. */
  readonly chart?: string | undefined;
  /** Default `error`. */
  readonly level?: 'error' | 'warning' | 'notice' | undefined;
  /** What is above each. Default `tshelm`. */
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
  const problems = problemsOf(failure)
    .flatMap(perDeclaration)
    .flatMap((problem) => ofProblem(problem, chart));
  if (problems.length > 0) return problems;
  if (hasCode(failure, 'wait-failed', 'wait-timeout'))
    return failure.details.unready.map(({ id, reason }) => ({
      at: {},
      subject: `${id.kind}/${id.name}`,
      message: reason,
    }));
  const place = addedDetail(failure, 'place');
  return [{ at: place === undefined ? {} : inFile(place, chart), message: messageOf(failure) }];
}

/** At the line of the value to be changed, or of the field, or where the object begins. */
function ofProblem(problem: Problem, chart: string | undefined): readonly Annotation[] {
  const { cause, remedies, state } = problem;
  if (cause.code === 'not-sent' || state === 'unjudged') return [];
  const { value, ...template } = placeToChange(problem);
  const at = value?.line !== undefined && !value.isGiven ? value : template;
  const message = [factText(cause), ...remedies.map(remedyForPrograms)].join('\n');
  const subject = labelOf(problem);
  return [{ at: inFile(at, chart), message, ...(subject !== '' && { subject }) }];
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
