import { pathMatch } from '../go/path-match.ts';
import { byteLength, decodeText } from '../go/text.ts';
import { GoError } from '../go/value.ts';
import { trimPrefix } from '../support/text.ts';

/** One line of a .helmignore file. */
interface IgnoreRule {
  readonly pattern: string;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Whether the pattern is about the whole path, not only about its last element. */
  readonly hasSlash: boolean;
}

/** Says which files of a chart's folder do not belong to the chart; paths are relative, with `/`. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean;

// Files such as templates/.swp are never templates.
const defaultRules = ['templates/.?*'];

/** Go's bufio.Scanner, which reads the file, refuses longer lines. */
const longestLine = 65_535;

/** The rules of a .helmignore file. Throws GoError as {@link parseIgnoreRules}. */
export function readIgnoreRules(data: Uint8Array): IgnoreRules {
  const text = decodeText(data);
  // In UTF-8 a line has no fewer bytes than characters.
  if (text.length > longestLine && text.split('\n').some((line) => byteLength(line) > longestLine))
    throw new GoError('bufio.Scanner: token too long');
  return parseIgnoreRules(text);
}

/**
 * Reads a .helmignore file (pkg/ignore): a glob for each line, `#` comments, `/` at its begin for the chart's folder,
 * `/` at its end for folders only, `!` for "everything but". Throws GoError for `**` and for broken globs.
 */
export function parseIgnoreRules(text: string): IgnoreRules {
  const lines = trimPrefix(text, '\ufeff').split('\n');
  const rules = [...lines, ...defaultRules].map(parseRule).filter((rule) => rule !== undefined);
  return (path, isFolder) => isIgnored(rules, path, isFolder);
}

function parseRule(line: string): IgnoreRule | undefined {
  const rule = line.trim();
  if (rule === '' || rule.startsWith('#')) return undefined;
  if (rule.includes('**')) throw new GoError('double-star (**) syntax is not supported');
  pathMatch(rule, 'abc');
  const isNegated = rule.startsWith('!');
  const positive = isNegated ? rule.slice(1) : rule;
  const foldersOnly = positive.endsWith('/');
  const pattern = foldersOnly ? positive.slice(0, -1) : positive;
  return { isNegated, foldersOnly, hasSlash: pattern.includes('/'), pattern: trimPrefix(pattern, '/') };
}

/** A negated rule ignores all that it does not match; rules after it are not a second chance, as in Helm. */
function isIgnored(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  return rules.some((rule) => {
    if (rule.foldersOnly && !isFolder) return rule.isNegated;
    return matches(rule, path) !== rule.isNegated;
  });
}

function matches({ pattern, hasSlash }: IgnoreRule, path: string): boolean {
  try {
    return pathMatch(pattern, hasSlash ? path : path.slice(path.lastIndexOf('/') + 1));
  } catch {
    // A pattern that is whole with its "!" or "/" and broken without matches nothing; Helm logs it for every file.
    return false;
  }
}
