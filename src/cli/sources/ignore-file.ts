import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IgnoreRule } from '../../actions/check/ignored.ts';
import { isRegularFile } from '../../support/directories.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';
import { splitOnce } from '../../support/text.ts';
import meanings from '../../words/meanings.json' with { type: 'json' };

/**
 * The findings that a file leaves out, a line each: `CODE [KIND/NAME] # REASON`. Default: the file `.tshelmcheck` of the
 * chart, where there is one. Errors: `ignore-file-invalid`.
 */
export function ignoreRules(given: string | undefined, chart: string, cwd: string): readonly IgnoreRule[] {
  const file = given ?? join(chart, '.tshelmcheck');
  const path = resolve(cwd, file);
  if (given === undefined && !isRegularFile(path)) return [];
  const rules: IgnoreRule[] = [];
  for (const [index, line] of linesIn(path, file).entries()) {
    const [rule = '', reason = ''] = splitOnce(line, '#').map((part) => part?.trim());
    const [code, object, ...more] = rule.split(/\s+/);
    if (!code) continue;
    if (reason === '' || more.length > 0) throw unreadable(`${file}:${index + 1}`, line, file);
    if (!Object.hasOwn(meanings, code)) throw unknownCode(`${file}:${index + 1}`, code, file);
    rules.push({ code, object, reason });
  }
  return rules;
}

function linesIn(path: string, file: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (cause) {
    const message = `the ignore file cannot be read: ${messageOf(cause)}; correct --ignore-file`;
    throw new TshelmError('ignore-file-invalid', { message, details: { file }, cause });
  }
}

function unknownCode(place: string, code: string, file: string): TshelmError {
  const near = nearest(code, Object.keys(meanings));
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  const message = `${place}: there is no problem ${JSON.stringify(code)}${hint || ';'} \`tshelm explain problems\` lists all codes`;
  return new TshelmError('ignore-file-invalid', { message, details: { file } });
}

function unreadable(place: string, line: string, file: string): TshelmError {
  const message = `${place}: ${JSON.stringify(line.trim())} is not \`CODE [KIND/NAME] # REASON\`; write a code that \`tshelm explain problems\` lists and a reason`;
  return new TshelmError('ignore-file-invalid', { message, details: { file } });
}
