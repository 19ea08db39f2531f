import { expect, test } from 'vitest';
import cases from '../../fixtures/render/cases.json' with { type: 'json' };
import { nameAndChart } from '../../src/actions/name-and-chart.ts';
import { type TemplateOptions, templateChart } from '../../src/actions/template.ts';
import { messageOf, TshelmError } from '../../src/support/errors.ts';
import { withDebugHint } from '../../src/words/debug-hint.ts';
import { chartOf } from './chart-text.ts';

// Charts with what Helm v4.3.1 printed for them: `helm template ARGS`.
interface HelmCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string | undefined>>;
  readonly args: readonly string[];
  readonly output: string;
  readonly errors: string;
}

test.each(cases as readonly HelmCase[])('$name', async ({ files, args, output, errors }) => {
  const [expected] = [/^Error: .*$/ms.exec(errors)?.[0] ?? ''];
  expect(await helmTemplate(files as Record<string, string>, args)).toEqual({ output, error: expected });
});

async function helmTemplate(files: Record<string, string>, args: readonly string[]) {
  try {
    const chart = await chartOf(files);
    const { output } = await templateChart(chart, new Map(), optionsOf(args));
    return { output, error: '' };
  } catch (error) {
    const output = error instanceof TshelmError ? (error.details['output'] ?? '') : '';
    return { output, error: `Error: ${messageOf(withDebugHint(error, args.includes('--debug')))}\n` };
  }
}

/** The flags that the cases use. */
function optionsOf(args: readonly string[]): TemplateOptions {
  const words: string[] = [];
  const given = new Map<string, string[]>();
  const withoutValue = new Set(['--no-hooks', '--skip-tests', '--include-crds', '--is-upgrade', '--debug']);
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (!arg.startsWith('-')) words.push(arg);
    else given.set(arg, [...(given.get(arg) ?? []), withoutValue.has(arg) ? '' : (args[++index] as string)]);
  }
  return {
    name: nameAndChart(words, { defaultName: 'release-name' }).name,
    namespace: given.get('--namespace')?.[0] ?? 'default',
    kubeVersion: given.get('--kube-version')?.[0],
    apiVersions: given.get('--api-versions'),
    showOnly: given.get('-s'),
    noHooks: given.has('--no-hooks'),
    skipTests: given.has('--skip-tests'),
    includeCrds: given.has('--include-crds'),
    isUpgrade: given.has('--is-upgrade'),
    debug: given.has('--debug'),
  };
}
