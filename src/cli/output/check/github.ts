import { workflowCommand } from '../../../show/workflow-command.ts';
import type { Mark } from './checked.ts';

/** Annotations of GitHub Actions, a line each. */
export const checkGithub = (marks: readonly Mark[]): string =>
  marks
    .map(({ level, problem, title, details, at }) => {
      const place = at && { file: at.file, line: at.line, col: at.column };
      const name = level === 'note' ? 'notice' : level;
      return `${workflowCommand(name, { ...place, title: `tshelm check: ${problem.code}` }, [title, ...details].join('\n'))}\n`;
    })
    .join('');
