import type { HealthOptions } from '../../actions/options/health.ts';
import { learnFromPlan } from '../../change/learn-secrets.ts';
import { missingDependencies } from '../../chart/checks.ts';
import { decryption } from '../../session/decryption.ts';
import type { TrustOptions } from '../../source/chart-access.ts';
import { stackTrustFlags } from '../../stack/option-flags.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import type { Reading } from '../../stack/reading.ts';
import type { HelmWords, StackTools } from '../../stack/work/tools.ts';
import { TshelmError } from '../../support/errors.ts';
import { awaitOutsideWork } from '../../support/outside-work.ts';
import { healthRulesOf } from '../health-rules.ts';
import { Dependencies } from '../sources.ts';
import { userValues, type ValuesOptions } from '../user-values.ts';
import type { GivenStack } from './given.ts';
import { checkGit } from './open.ts';
import type { StackOptions } from './options.ts';
import { eventProgress } from './progress.ts';

interface ToolOptions extends ValuesOptions, HealthOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What a program brings to the work on a stack. */
export function toolsOf(given: GivenStack, call: ToolOptions, reading: Reading): StackTools {
  const { options, session, secrets } = given;
  const { clusters = {}, skipDeps } = options;
  const { signal } = call;
  return {
    async open(kubeContext) {
      const connection = session.connectionOf(kubeContext, clusters[kubeContext]);
      const opened = await session.context({ signal, secrets }, undefined, connection);
      return { ...opened, kubeContext: kubeContext === '' ? undefined : kubeContext };
    },
    skipDeps,
    trust: trustOf(options),
    async loadChart({ reference, access, dependencyUpdate }) {
      checkGit(options, reference, options.folder ?? '.');
      const all = { ...access, signal };
      const chart = await awaitOutsideWork(session.chart(reference, all));
      if (!dependencyUpdate || missingDependencies(chart).length === 0) return chart;
      const verify = options.verify === 'sigstore' ? 'sigstore' : false;
      await awaitOutsideWork(new Dependencies(session.sources).update(reference, { ...all, verify }));
      return awaitOutsideWork(session.chart(reference, all));
    },
    async withGivenValues(base) {
      const download = (url: string) => session.sources.values(url, { signal });
      const decrypt = decryption({ env: session.environment, secrets });
      const values = await awaitOutsideWork(userValues(call, { download, decrypt }, base));
      secrets.addValues(values);
      return values;
    },
    postRendererNamed:
      ({ program, args = [] }, { place }) =>
      async (manifests) =>
        reading.world.run({ command: program, args, cwd: place.cwd, input: manifests }),
    rendering: session.rendering({}),
    userRules: healthRulesOf(call),
    words: refusedWords,
    signal,
    onPlan: (plan) => learnFromPlan(plan, secrets),
    progress: eventProgress(given),
  };
}

const trustNames = Object.values(stackTrustFlags).map(({ option }) => option);

const trustOf = (options: StackOptions): TrustOptions =>
  Object.fromEntries(trustNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));

/** Words for Helm's command line are read by tshelm's alone; those about how a diff is shown have no meaning here. */
const refusedWords: HelmWords = {
  upgrade: (file) => ({ options: refuseWords(file, 'syncArgs', 'args') }),
  template: (file) => ({ options: refuseWords(file, 'templateArgs', 'args'), asksCluster: false }),
  diff: () => ({}),
};

function refuseWords(
  file: StackFile,
  ...fields: readonly ('args' | 'syncArgs' | 'templateArgs')[]
): Readonly<Record<string, never>> {
  const field = fields.find((one) => (file.spec.helmDefaults?.[one] ?? []).some((word) => word.trim() !== ''));
  if (field === undefined) return {};
  throw new TshelmError('stack-unsupported', {
    message: `${file.locate({ field, part: 'helmDefaults' })}: helmDefaults.${field}: the library does not support Helm command-line arguments; use the fields of helmDefaults, or the options of the call`,
    details: { file: file.source },
  });
}
