import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { pathInto } from './refused-fields.ts';

/** A text that Kubernetes' rules for names refuse, and one that they allow. */
export interface UnfitName {
  /** As the API server names it: `metadata.name`. */
  readonly field: string;
  readonly value: string;
  /** The nearest text that is allowed; undefined where nothing is left of it. */
  readonly meant: string | undefined;
}

/** A kind of name: how its rule is worded, what that means, and how a text is made one. */
interface Rule {
  readonly words: string;
  readonly meaning: string;
  readonly correct: (text: string) => string;
}

const rules: readonly Rule[] = [
  {
    words:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    meaning: 'only lower case letters, digits, - and . are allowed, with a letter or digit at both ends',
    correct: (text) =>
      text
        .toLowerCase()
        .replace(/[^a-z0-9.]+/g, '-')
        .split('.')
        .map(trimmed)
        .filter((part) => part !== '')
        .join('.'),
  },
  {
    words:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    meaning: 'only lower case letters, digits and - are allowed, with a letter or digit at both ends',
    correct: labelOf,
  },
  {
    words:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    meaning: 'only lower case letters, digits and - are allowed, with a letter first and no - last',
    correct: (text) => labelOf(text).replace(/^[^a-z]+/, ''),
  },
  { words: 'must not contain dots', meaning: 'no dots are allowed', correct: labelOf },
  {
    words:
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    meaning: 'only letters, digits, -, _ and . are allowed, with a letter or digit at both ends',
    correct: (text) => text.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, ''),
  },
  {
    words: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    meaning: 'only letters, digits, -, _ and . are allowed',
    correct: (text) => text.replace(/[^A-Za-z0-9_.-]+/g, '-'),
  },
  {
    words: 'must contain only alphanumeric characters (a-z, 0-9), and hyphens (-)',
    meaning: 'only lower case letters, digits and - are allowed',
    correct: labelOf,
  },
];

function labelOf(text: string): string {
  return trimmed(text.toLowerCase().replace(/[^a-z0-9]+/g, '-'));
}

function trimmed(text: string): string {
  return text.replace(/^-+|-+$/g, '');
}

/** The API server's words without its regular expressions and in plain words; Helm's words are told last in any case. */
export const withoutPatterns = (problem: string): string =>
  rules.reduce(
    (text, { words, meaning }) => text.replaceAll(words, meaning),
    problem.replace(/ \(e\.g\. [^()]*regex used for validation is '[^']*'\)/g, ''),
  );

/** The texts that a refusal calls no names, each once. */
export function unfitNames(problem: string): readonly UnfitName[] {
  const found = [...problem.matchAll(/(\w(?:\[[^\]]*\]|[\w$./-])*): Invalid value: ("(?:[^"\\]|\\.)*"): /g)];
  const names = new Map<string, UnfitName>();
  for (const [index, { 0: head, 1: field = '', 2: quoted = '', index: at }] of found.entries()) {
    const said = problem.slice(at + head.length, found[index + 1]?.index);
    const rule = rules.find(({ words }) => said.startsWith(words));
    const most = /^must be no more than (\d+) (?:bytes|characters)/.exec(said)?.[1];
    const value = unquoted(quoted);
    if (value === undefined || (rule === undefined && most === undefined)) continue;
    const key = `${field}\0${value}`;
    const before = names.get(key)?.meant ?? value;
    const correct = rule?.correct ?? ((text: string) => text.slice(0, Number(most)).replace(/[^A-Za-z0-9]+$/, ''));
    names.set(key, { field, value, meant: correct(before) || undefined });
  }
  return [...names.values()];
}

interface NamedField {
  readonly path: FieldPath;
  readonly unfit?: UnfitName;
}

/** Fields that are refused, with the names that they should have; of a map with labels the one whose text is refused. */
export function withNames(paths: readonly FieldPath[], problem: string, object: unknown): readonly NamedField[] {
  const unfit = unfitNames(problem).map((name) => ({ name, path: pathInto(object, name.field) }));
  return paths.map((path) => {
    const found = unfit.find((one) => one.path.join('\0') === path.join('\0'));
    return found === undefined
      ? { path }
      : { path: [...path, ...memberOf(object, path, found.name)], unfit: found.name };
  });
}

function memberOf(object: unknown, path: FieldPath, { value }: UnfitName): FieldPath {
  const at = valueAtPath(object, path);
  if (typeof at !== 'object' || at === null) return [];
  const [key] = Object.entries(at).find(([name, text]) => name === value || text === value) ?? [];
  return key === undefined ? [] : [key];
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
