import type { ExecutionEvent, OnEvent } from '../execute/events.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { learnFromPlan } from './learn-secrets.ts';

/** Passes the events of a run on as they may be shown: their free text without secrets, those of the plan too. */
export const shownEvents =
  (onEvent: OnEvent, secrets: SecretWords): OnEvent =>
  (event) => {
    if (event.kind === 'plan-started') learnFromPlan(event.plan, secrets);
    onEvent(shownEvent(event, secrets));
  };

function shownEvent(event: ExecutionEvent, secrets: SecretWords): ExecutionEvent {
  const text = 'text' in event && typeof event.text === 'string' ? { text: secrets.redact(event.text) } : {};
  const parts =
    'parts' in event && event.parts !== undefined
      ? { parts: event.parts.map((part) => (typeof part === 'string' ? secrets.redact(part) : part)) }
      : {};
  const reason = 'reason' in event && event.reason !== undefined ? { reason: secrets.redact(event.reason) } : {};
  const cause = 'cause' in event && event.cause !== undefined ? { cause: secrets.redact(event.cause) } : {};
  const lines = event.kind === 'log-tail' ? { lines: event.lines.map((line) => secrets.redact(line)) } : {};
  const line = event.kind === 'log-line' ? { line: secrets.redact(event.line) } : {};
  return { ...event, ...text, ...parts, ...reason, ...cause, ...lines, ...line } as ExecutionEvent;
}
