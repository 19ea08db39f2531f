import type { SourcePlace } from '../support/errors.ts';
import { isSecretName } from '../support/secret-names.ts';

const masked = '***';

/** `key: value` or `key=value`, as an item of a list too; what stands before the value, its indent and its key. */
const assignment = /^((\s*(?:-\s+)*)["']?([\w./-]+)["']?\s*[:=]\s*)(.*)$/;
/** The env style: `- name: PASSWORD` on one line, its `value:` on the next. */
const nameLine = /^\s*(?:-\s+)?name:\s*["']?([\w./-]+)["']?\s*$/;

/**
 * The lines of a text with what is likely secret masked: the value of a key such as `password`, the block below it, and
 * in a rendered Secret all of its data. A value that a template computes says nothing, and stays.
 */
export function maskedLines({ file, text }: SourcePlace): readonly string[] {
  const isSecret = file.endsWith('(rendered)') && /^\s*["']?kind["']?:\s*["']?Secret\b/m.test(text);
  const mask = new LineMask(isSecret);
  return text.split(/\r?\n/).map((line) => mask.line(line));
}

class LineMask {
  readonly #isSecret: boolean;
  /** The indent of the key whose block is being masked. */
  #block: number | undefined;
  #hasSecretName = false;

  constructor(isSecret: boolean) {
    this.#isSecret = isSecret;
  }

  line(line: string): string {
    const indent = line.search(/\S/);
    if (this.#isInBlock(line, indent)) return this.#inBlock(line, indent);
    this.#block = undefined;
    const [, head = '', lead = '', key = '', value = ''] = assignment.exec(line) ?? [];
    const isValueOfName = this.#hasSecretName && key === 'value';
    const named = nameLine.exec(line)?.[1];
    this.#hasSecretName = named === undefined ? this.#hasSecretName && !isValueOfName : isSecretName(named);
    if (key === '') return maskInline(line);
    if (!isSecretName(key) && !isValueOfName && !(this.#isSecret && /^(?:data|stringData)$/.test(key)))
      return maskInline(line);
    if (isBlockStart(value)) {
      this.#block = lead.length;
      return line;
    }
    return isComputed(value) ? line : `${head}${masked}`;
  }

  /** Items of a list may stand as far left as its key. */
  #isInBlock(line: string, indent: number): boolean {
    if (this.#block === undefined) return false;
    return indent === -1 || indent > this.#block || (indent === this.#block && /^\s*-(?:\s|$)/.test(line));
  }

  #inBlock(line: string, indent: number): string {
    return indent === -1 || isComputed(line) ? line : `${' '.repeat(indent)}${masked}`;
  }
}

const isBlockStart = (value: string): boolean => /^(?:[|>][-+\d]*)?\s*(?:#.*)?$/.test(value);
const isComputed = (value: string): boolean => value.includes('{{');

/** What a chart says by `fail` and `required`: prose, in which "credentials: set …" is advice. */
const prose = /\b(?:fail|required)\s+\(?(?:printf\s+)?"(?:[^"\\]|\\.)*"/;

/** `{user: a, password: b}` */
function maskInline(line: string): string {
  const said = prose.exec(line);
  if (said === null) return maskPairs(line);
  const end = said.index + said[0].length;
  return maskPairs(line.slice(0, said.index)) + said[0] + maskPairs(line.slice(end));
}

const maskPairs = (line: string): string =>
  line.replace(
    /(["']?([\w./-]+)["']?\s*:\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,{}[\]]+)/g,
    (whole, head: string, key: string, value: string) =>
      isSecretName(key) && !isComputed(value) ? `${head}${masked}` : whole,
  );
