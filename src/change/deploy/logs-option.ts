import type { LogSelection } from '../../execute/logs/selection.ts';
import type { LabelTest } from '../../go/label-selector.ts';
import { isNamed } from '../../manifest/resource-id.ts';
import { parseSelector } from '../../release/label-selector.ts';
import { hasCode } from '../../support/errors.ts';
import { boolOf, type FlagRows } from '../option-rows.ts';

/**
 * Whose lines are shown: `true` or `all`, all pods; else a label selector for pods, or names as `Deployment/web` with
 * commas between.
 */
export type LogChoice = boolean | string;

interface LogsOptions {
  readonly logs?: LogChoice | undefined;
}

/** `--logs` alone shows all; true and false are those of Go. Errors: `invalid-selector`. */
function logChoiceOf(text: string): LogChoice {
  const choice = boolOf(text) ?? text;
  logSelectionOf(choice);
  return choice;
}

export const logsFlag = {
  logs: {
    type: 'string',
    option: 'logs',
    alone: 'true',
    as: logChoiceOf,
    placeholder: '[=SELECTOR]',
    description:
      'show what the pods of this revision write while tshelm waits for them, line by line: all of them, those that match a label selector (app=web), or those of objects (Deployment/web,Job/seed)',
  },
} satisfies FlagRows<LogsOptions>;

/** Undefined where no lines are shown. Errors: `invalid-selector`. */
export function logSelectionOf(choice: LogChoice | undefined): LogSelection | undefined {
  if (choice === undefined || choice === false) return undefined;
  if (choice === true || choice === 'all') return {};
  const words = choice.split(',').map((word) => word.trim());
  if (words.every(isNameOfObject))
    return { objects: words.map((name) => ({ name, isMeant: (id) => isNamed(id, name) })) };
  const matches = readSelector(choice);
  return { isOfPod: ({ metadata }) => matches(metadata.labels ?? {}) };
}

/** The prefix of a label's key is a domain: a word without a dot is a kind. */
const isNameOfObject = (word: string): boolean => /^(?:[A-Z][\w.-]*|\w+)\/[^=!() ]+$/.test(word);

function readSelector(choice: string): LabelTest {
  try {
    return parseSelector(choice);
  } catch (error) {
    if (!hasCode(error, 'invalid-selector')) throw error;
    const message = `${JSON.stringify(choice)} selects no logs: ${error.message}; write a label selector such as app=web, or objects such as Deployment/web`;
    throw error.wrapped({ message });
  }
}
