import { join, relative } from 'node:path';
import { countOf, linesOf } from '../../support/text.ts';
import type { CommandTree } from '../command-tree.ts';
import { isState, scriptsBelow, textOf } from './files.ts';
import { type Finding, judge, judgeCiLine, judgeStateLine, judgeVariables, type Verdict } from './judge.ts';
import { helmCommandsIn, type ShellCommand } from './shell-commands.ts';

/** What becomes of the lines of scripts that call helm or helmfile. */
export interface Migration {
  /** How many files were read. */
  readonly files: number;
  readonly lines: readonly JudgedLine[];
  /** How many lines, by their heaviest finding. */
  readonly counts: Readonly<Record<Verdict, number>>;
}

export interface JudgedLine {
  readonly file: string;
  readonly line: number;
  /** The command, or the line of a state file. */
  readonly text: string;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

/** The lightest first. */
const verdicts: readonly Verdict[] = ['works', 'changes', 'unknown', 'refused'];

/** Reads files, and folders with all that is below; `mask` takes secrets out of lines. Errors: `bad-arguments`. */
export async function migration(
  roots: readonly { readonly name: string; readonly path: string }[],
  tree: CommandTree,
  mask: (text: string) => string,
): Promise<Migration> {
  const files = roots.flatMap(({ name, path }) =>
    scriptsBelow(path).map((file) => ({ file, shown: join(name, relative(path, file)) })),
  );
  const lines: JudgedLine[] = [];
  for (const { file, shown } of files) {
    for (const { line, text, findings } of await judgedIn(file, tree))
      lines.push({ file: shown, line, text: mask(text), verdict: heaviest(findings), findings });
  }
  const count = (verdict: Verdict): number => lines.filter((one) => one.verdict === verdict).length;
  const counts = {
    works: count('works'),
    changes: count('changes'),
    refused: count('refused'),
    unknown: count('unknown'),
  };
  return { files: files.length, lines, counts };
}

const heaviest = (findings: readonly Finding[]): Verdict =>
  verdicts.findLast((verdict) => findings.some((one) => one.verdict === verdict)) ?? 'works';

interface Found {
  readonly line: number;
  readonly text: string;
  readonly findings: readonly Finding[];
}

async function judgedIn(file: string, tree: CommandTree): Promise<readonly Found[]> {
  const text = textOf(file);
  const found: Found[] = [];
  for (const command of helmCommandsIn(text))
    found.push({
      line: command.line,
      text: [command.program, ...command.words].join(' '),
      findings: [...(await judge(command, tree)), ...quoteFindings(command)],
    });
  const others = linesOf(text).flatMap((line, index) => {
    const findings = [...judgeVariables(line), ...judgeCiLine(line), ...(isState(file) ? judgeStateLine(line) : [])];
    return findings.length === 0 ? [] : [{ line: index + 1, text: line.trim(), findings }];
  });
  return [...found, ...others].sort((a, b) => a.line - b.line);
}

const quoteFindings = ({ unclosed }: ShellCommand): readonly Finding[] =>
  unclosed === undefined
    ? []
    : [{ verdict: 'unknown', what: unclosed.quote, here: `nothing closes this quote in line ${unclosed.line}` }];

/** For people: a line for each command, and one for each finding below it. */
export function migrationText({ files, lines, counts }: Migration): string {
  const entries = lines.flatMap(({ file, line, text, findings }) => [
    `${file}:${line}: ${text}`,
    ...findings.map(({ verdict, what, here, write }) => `  ${verdict}: ${what}: ${here}${writeText(write)}`),
    ...(findings.length === 0 ? ['  works'] : []),
  ]);
  const { works, changes, refused, unknown } = counts;
  const sum = `${countOf(lines.length, 'line')} in ${countOf(files, 'file')}: ${works} work as they are, ${changes} work with a change, ${refused} do not work, ${unknown} unknown`;
  return `${[...entries, sum].join('\n')}\n`;
}

const writeText = (write: string | undefined): string => {
  if (write === undefined) return '';
  return write === '' ? '; leave it out' : `; write ${write}`;
};
