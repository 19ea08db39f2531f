export interface AnswerCase {
  readonly name: string;
  readonly arguments: readonly string[];
}

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly snapshots: Readonly<Record<string, string>>;
  readonly results?: string;
}

export const cases: readonly AnswerCase[];

export function answerTo(
  one: AnswerCase,
  run: (folder: string, words: readonly string[]) => Promise<{ readonly code: number; readonly stdout: string }>,
): Promise<Answer>;
