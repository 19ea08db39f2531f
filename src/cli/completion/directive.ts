/** What a shell does beside the choices that it gets: cobra's ShellCompDirective, bit by bit. */
export const directives = { error: 1, noSpace: 2, noFiles: 4, fileExtensions: 8, directories: 16 } as const;

/** What may appear at the cursor; a choice's description is behind a tab. */
export interface Completions {
  readonly choices: readonly string[];
  readonly directive: number;
}

/** Files may appear there, as far as we know. */
export const files: Completions = { choices: [] as const, directive: 0 };
export const nothing: Completions = { choices: [] as const, directive: directives.noFiles };
export const fixedChoices = (choices: readonly string[]): Completions => ({ choices, directive: directives.noFiles });

/** The directive's bits by cobra's names, as its protocol tells them on standard error. */
export function directiveText(directive: number): string {
  const names = [
    ['ShellCompDirectiveError', directives.error],
    ['ShellCompDirectiveNoSpace', directives.noSpace],
    ['ShellCompDirectiveNoFileComp', directives.noFiles],
    ['ShellCompDirectiveFilterFileExt', directives.fileExtensions],
    ['ShellCompDirectiveFilterDirs', directives.directories],
  ] as const;
  const set = names.filter(([, bit]) => (directive & bit) !== 0).map(([name]) => name);
  return set.length === 0 ? 'ShellCompDirectiveDefault' : set.join(', ');
}

/** A line that the shell shows and never inserts: cobra's "active help". */
const activeHelpMark = '_activeHelp_ ';

export const isActiveHelp = (choice: string): boolean => choice.startsWith(activeHelpMark);

/** The command has all the arguments that it takes. */
export const noMoreArguments: Completions = fixedChoices([
  `${activeHelpMark}This command does not take any more arguments (but may accept flags).`,
]);
