import { jsonSyntaxError } from '../../go/json/syntax.ts';
import { GoError } from '../../go/value.ts';
import { JsonNumber } from './number.ts';

/** JSON with its numbers as they are written. Objects are maps. */
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;
export type JsonObject = ReadonlyMap<string, Json>;

export const isObject = (value: unknown): value is JsonObject => value instanceof Map;

/** Reads a JSON text. Throws GoError with encoding/json's message. */
export function readJsonDocument(text: string): Json {
  try {
    JSON.parse(text);
  } catch (cause) {
    throw new GoError(streamProblem(jsonSyntaxError(text), text), { cause });
  }
  return new DocumentReader(text).read();
}

/** Helm reads from a stream, which has words of its own for its end and for what follows the JSON. */
function streamProblem(problem: string, text: string): string {
  if (problem === 'unexpected end of JSON input') return text.trim() === '' ? 'EOF' : 'unexpected EOF';
  return problem.replace(/^invalid character .* (?=after top-level value$)/, 'invalid character ');
}

const maxDepth = 10_000;
const token = /[\s]*("(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s{}[\],:"]+)/y;

/** Builds the values of a text that is known to be JSON; nesting is kept in a list, not on the call stack. */
class DocumentReader {
  private readonly text: string;
  private readonly open: (Json[] | Map<string, Json>)[] = [];
  private readonly keys: (string | undefined)[] = [];

  constructor(text: string) {
    this.text = text;
  }

  read(): Json {
    token.lastIndex = 0;
    for (;;) {
      const part = token.exec(this.text)?.[1] ?? '';
      const value = this.take(part);
      if (value !== undefined && this.open.length === 0) return value;
    }
  }

  /** The value that this token completes. */
  private take(part: string): Json | undefined {
    switch (part) {
      case ',':
      case ':':
        return undefined;
      case '{':
        return this.begin(new Map(), part);
      case '[':
        return this.begin([], part);
      case '}':
      case ']':
        this.keys.pop();
        return this.add(this.open.pop() as Json);
      default:
        return this.scalar(part);
    }
  }

  /** Go: scanner.pushParseState. */
  private begin(collection: Json[] | Map<string, Json>, bracket: string): undefined {
    if (this.open.length >= maxDepth) throw new GoError(`invalid character '${bracket}' exceeded max depth`);
    this.open.push(collection);
    this.keys.push(undefined);
  }

  private scalar(part: string): Json | undefined {
    if (/^[-0-9]/.test(part)) return this.add(new JsonNumber(part));
    const value = JSON.parse(part) as string | boolean | null;
    if (!(this.open.at(-1) instanceof Map) || this.keys.at(-1) !== undefined) return this.add(value);
    this.keys[this.keys.length - 1] = value as string;
    return undefined;
  }

  private add(value: Json): Json {
    const collection = this.open.at(-1);
    if (Array.isArray(collection)) collection.push(value);
    else if (collection !== undefined) (collection as Map<string, Json>).set(this.keys.at(-1) as string, value);
    this.keys[this.keys.length - 1] = undefined;
    return value;
  }
}
