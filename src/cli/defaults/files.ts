import { readFileSync } from 'node:fs';
import { goPathError } from '../../go/path-error.ts';
import { TshelmError } from '../../support/errors.ts';
import { isObject } from '../../support/json.ts';
import { lineOfKeys, readOwnYaml, YamlError } from '../../yaml/index.ts';
import type { DefaultsFiles } from './find.ts';

/** A default of one flag, as its file says it. */
export interface DefaultFlag {
  /** The command by its names, `stack diff`; undefined for every command that has the flag. */
  readonly command: string | undefined;
  readonly flag: string;
  /** What follows `--flag=`, once for each time that the flag is given. */
  readonly values: readonly string[];
  /** How the file writes them; `keys` and `nothing` are no values. */
  readonly form: 'one' | 'list' | 'keys' | 'nothing';
  /** `tshelm.yaml:3` */
  readonly place: string;
  /** Who checks out a project does not choose what its file says. */
  readonly isOfProject: boolean;
}

/** The defaults of flags in these files, in the order in which they count. Errors: `defaults-invalid`. */
export const readDefaults = ({ project, own }: DefaultsFiles): readonly DefaultFlag[] => [
  ...(project === undefined ? [] : defaultsOf(project, true)),
  ...(own === undefined ? [] : defaultsOf(own, false)),
];

function defaultsOf(path: string, isOfProject: boolean): readonly DefaultFlag[] {
  const text = textOf(path);
  const content = contentOf(text, path);
  const placeOf = (...keys: readonly string[]): string => {
    const line = lineOfKeys(text, keys);
    return line === undefined ? path : `${path}:${line}`;
  };
  return Object.entries(content).flatMap(([key, value]): DefaultFlag[] => {
    if (!isObject(value))
      return [{ command: undefined, flag: key, ...valuesOf(value), place: placeOf(key), isOfProject }];
    return Object.entries(value).map(([flag, one]) => {
      const place = placeOf(key, flag);
      return { command: key, flag, ...valuesOf(one), place, isOfProject };
    });
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid(goPathError('open', path, cause).message, path, cause);
  }
}

function contentOf(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const content = readOwnYaml(text) ?? {};
    if (isObject(content)) return content;
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    throw invalid(`${path}: ${cause.message}`, path, cause);
  }
  throw invalid(`${path}: write flags and commands as keys, such as \`wait: ordered\``, path);
}

function valuesOf(value: unknown): Pick<DefaultFlag, 'values' | 'form'> {
  if (Array.isArray(value)) {
    const all = value.map(valuesOf);
    return {
      values: all.flatMap(({ values }) => values),
      form: all.every(({ form }) => form === 'one') ? 'list' : 'keys',
    };
  }
  if (isObject(value)) return { values: [], form: 'keys' };
  if (value === null || value === undefined) return { values: [], form: 'nothing' };
  return { values: [String(value)], form: 'one' };
}

export const invalid = (message: string, file: string, cause?: unknown): TshelmError =>
  new TshelmError('defaults-invalid', { message, details: { file }, cause });
