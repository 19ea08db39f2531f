import type { Span, StepRun } from '../../actions/rehearsal/run-record.ts';
import { formatDuration, parseDuration } from '../../go/time/duration.ts';
import { GoError } from '../../go/value.ts';
import { type Level, levels } from '../../problem/level.ts';
import { codeText, titleOf } from '../../words/problem.ts';
import type { Trial } from './assertion.ts';
import { failed, passed } from './each.ts';
import { errorLines } from './lines.ts';
import type { Parameters } from './parameters.ts';

const nsPerMs = 1_000_000n;

/** `passesCheck`: `tshelm check` finds nothing of this level (`failOn`: `error`, which is the default, `warning`, `note`) or a heavier one. */
export function passesCheck(parameters: Parameters): Trial {
  const failOn = levelOf(parameters.text('failOn'));
  return async (trials, isNegative) => {
    const { findings } = await trials.check();
    const found = findings.filter(({ level }) => levels.indexOf(level) <= levels.indexOf(failOn));
    if ((found.length === 0) !== isNegative) return passed;
    const texts = found.map(({ level, problem }) => `${level}: ${titleOf(problem)}${codeText(problem)}`);
    return failed(errorLines(isNegative ? 'check finds nothing' : texts.join('\n')));
  };
}

function levelOf(text: string): Level {
  if (text === '') return 'error';
  const level = levels.find((one) => one === text);
  if (level === undefined) throw new GoError(`passesCheck: failOn is one of ${levels.join(', ')}, got '${text}'`);
  return level;
}

/** `becomesReady`: an install with `--wait=ordered` succeeds in simulated time, with `within` (`2m`) in so much of it. */
export function becomesReady(parameters: Parameters): Trial {
  const text = parameters.text('within');
  const within = text === '' ? undefined : Number(parseDuration(text) / nsPerMs);
  return async (trials, isNegative) => {
    const { failure, totalMs } = await trials.rehearsal();
    const isSlow = within !== undefined && totalMs > within;
    if ((failure === undefined && !isSlow) !== isNegative) return passed;
    const took = `it is ready after ${durationText(totalMs)}`;
    return failed(errorLines(isNegative || failure === undefined ? took : failure.message));
  };
}

/** `readyBefore`: an install with `--wait=ordered` begins with the object `then` (`Deployment/web`) when `first` is ready. */
export function readyBefore(parameters: Parameters): Trial {
  const [first, then] = [parameters.text('first'), parameters.text('then')];
  return async (trials, isNegative) => {
    const { steps, failure } = await trials.rehearsal();
    const [earlier, later] = [spanOf(first, steps), spanOf(then, steps)];
    const missing = earlier === undefined ? first : then;
    if (earlier === undefined || later === undefined) return failed(errorLines(`the chart deploys no ${missing}`));
    const isReady = earlier.state === 'ready' || isThereAtOnce(earlier, failure);
    const isInOrder = isReady && earlier.endMs <= later.startMs && isListedBefore(earlier, later, steps);
    if (isInOrder !== isNegative) return passed;
    const ready = isReady ? `ready after ${durationText(earlier.endMs)}` : `never ready`;
    return failed(errorLines(`${first} is ${ready}, ${then} begins after ${durationText(later.startMs)}`));
  };
}

/** A ConfigMap or Secret is not waited for: in a run that succeeds it is ready when it is written. */
const isThereAtOnce = ({ state }: Span, failure: unknown): boolean => failure === undefined && state === 'created';

/** Simulated time stands still while objects are written, so what is written first is told by the order of the record. */
function isListedBefore(earlier: Span, later: Span, steps: readonly StepRun[]): boolean {
  const spans = steps.flatMap((step) => [...step.spans.values()]);
  return spans.indexOf(earlier) < spans.indexOf(later);
}

const durationText = (ms: number): string => formatDuration(BigInt(Math.round(ms)) * nsPerMs);

/** The first span of an object that is named by kind and name, whatever the case of its kind. */
function spanOf(named: string, steps: readonly StepRun[]) {
  const [kind = '', name] = named.split('/');
  return steps
    .flatMap(({ spans }) => [...spans.values()])
    .find(({ id }) => id.kind.toLowerCase() === kind.toLowerCase() && id.name === name);
}
