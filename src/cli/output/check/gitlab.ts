import { printable } from '../../../support/printable.ts';
import { formatted } from '../../terminal/format.ts';
import type { Mark } from './checked.ts';
import { fingerprinted } from './fingerprint.ts';

/** GitLab's report of code quality, which it shows beside the lines of a merge request. A finding must be in a file. */
export const checkGitlab = (marks: readonly Mark[]): string =>
  formatted(
    fingerprinted(marks).map(({ level, problem, title, details, at, fingerprint }) => ({
      description: printable([title, ...details].join('\n')),
      check_name: problem.code,
      fingerprint,
      severity: severities[level],
      location: { path: at?.file ?? '.', lines: { begin: at?.line ?? 1 } },
    })),
    'json',
  );

const severities = { error: 'major', warning: 'minor', note: 'info' } as const;
