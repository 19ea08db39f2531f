import { isStackOverflow } from '../support/stack-overflow.ts';

/**
 * What Helm makes of a template's error: `execution error at (…): …` for `fail` and `required`, and otherwise one
 * paragraph for each template on the way, where the whole chain is made of template errors.
 * Follows engine.go: cleanupParseError, reformatExecErrorMsg.
 */
export function execErrorText(error: Error): string {
  const [, location = '', ...rest] = error.message.split(': ');
  if (rest.length === 0) return error.message;
  const warning = warningPattern.exec(rest.join(': '))?.[1];
  if (warning !== undefined) return `execution error at (${location}): ${warning}`;
  const frames: Frame[] = [];
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    // JavaScript's own error, which Go does not have.
    if (isStackOverflow(current)) break;
    const frame = parseFrame(current.message);
    if (frame === undefined) return error.message;
    const last = frames.at(-1);
    if (last === undefined || formatFrame(last) !== formatFrame(frame)) frames.push(frame);
  }
  return frames.map(formatFrame).join('').trim();
}

/** `parse error at (file:line): reason`. */
export function parseErrorText(file: string, message: string): string {
  const parts = message.split(': ');
  if (parts.length === 1) return `parse error in (${file}): ${message}`;
  return `parse error at (${parts[1]}): ${parts.at(-1)}`;
}

const warningStart = 'HELM_ERR_START';
const warningEnd = 'HELM_ERR_END';
const warningPattern = new RegExp(`${warningStart}([^]*)${warningEnd}`);

/** Marks the message of `fail` and `required`, so that it is found again in the middle of the template's error. */
export const asWarning = (message: string): string => `${warningStart}${message}${warningEnd}`;

/** The message that {@link asWarning} marked, where there is one, and otherwise the text itself. */
export const withoutWarningMarks = (text: string): string => warningPattern.exec(text)?.[1] ?? text;

interface Frame {
  readonly location: string;
  readonly executing: string;
  readonly message: string;
}

function formatFrame({ location, executing, message }: Frame): string {
  return [location && `${location}\n  `, executing && `${executing}\n    `, message && `${message}\n`].join('');
}

function parseFrame(text: string): Frame | undefined {
  const prefix = 'template: ';
  if (!text.startsWith(prefix)) return undefined;
  const rest = text.slice(prefix.length);
  if (rest.startsWith('no template ')) return { location: '', executing: '', message: text };
  return parseExecutingFrame(rest) ?? parseSimpleFrame(rest);
}

/** `NAME: executing "FUNCTION" at <CONTEXT>: MESSAGE[ template:…]` */
function parseExecutingFrame(text: string): Frame | undefined {
  const at = text.indexOf(': executing ');
  const found = at < 0 ? null : /^: executing "([^"]*)" at <([^]*?)>: ([^]*)$/.exec(text.slice(at));
  if (found === null) return undefined;
  const [, name = '', context = '', message = ''] = found;
  const location = text.slice(0, at);
  return { location, executing: `executing "${name}" at <${context}>:`, message: withoutNext(message) };
}

/** `NAME: MESSAGE[ template:…]`; the last colon counts, because the name has a line and a column. */
function parseSimpleFrame(text: string): Frame | undefined {
  const at = text.lastIndexOf(': ');
  if (at === -1) return undefined;
  return { location: text.slice(0, at), executing: '', message: withoutNext(text.slice(at + 2)) };
}

function withoutNext(message: string): string {
  const at = message.indexOf(' template:');
  return at === -1 ? message : message.slice(0, at);
}
