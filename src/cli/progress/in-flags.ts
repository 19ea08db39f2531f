import type { ExecutionEvent, OnEvent } from '../../execute/events.ts';
import { sentenceText } from '../../words/option.ts';

/** Passes events on whose notes and warnings name flags instead of options of the library. */
export const inFlags =
  (onEvent: OnEvent): OnEvent =>
  (event) =>
    onEvent(namingFlags(event));

function namingFlags(event: ExecutionEvent): ExecutionEvent {
  if ((event.kind !== 'note' && event.kind !== 'warning') || event.parts === undefined) return event;
  return { kind: event.kind, text: sentenceText(event.parts, 'terminal') };
}
