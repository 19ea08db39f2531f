import { expect, test } from 'vitest';
import { completionScript } from '../../../src/cli/completion/scripts.ts';
import { tshelm } from '../harness.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

test.each(shells)('%s: the script asks the program by its name, and all placeholders are filled', (shell) => {
  const script = completionScript(shell, 'helm', { descriptions: true });
  expect(script).toContain('__complete ');
  expect(script).not.toMatch(/NAME|FUNCTION|ASK|@\{/);
  expect(completionScript(shell, 'helm', { descriptions: false })).toContain('__completeNoDesc ');
});

test('completion takes no shell that it does not know', async () => {
  const { code, stderr } = await tshelm(['completion', 'tcsh']);
  expect(code).toBe(1);
  expect(stderr).toContain('"tshelm completion" accepts no arguments');
});
