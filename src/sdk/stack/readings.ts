import { selectedForShow } from '../../stack/choose.ts';
import { deployOrder, type StackNode } from '../../stack/plan-stack.ts';
import { isWanted, releaseId } from '../../stack/releases.ts';
import { doneIn, type NodeOutcome } from '../../stack/run-graph.ts';
import { isEnabled } from '../../stack/selectors.ts';
import { buildText } from '../../stack/texts.ts';
import { checkStack } from '../../stack/work/check.ts';
import { lintStack } from '../../stack/work/lint.ts';
import { noneFound } from '../../stack/work/open-stack.ts';
import { type PlannedNode, planNodes } from '../../stack/work/planning.ts';
import { driftOfReleases, recordedReleases } from '../../stack/work/readings.ts';
import { type ReadOnlyRun, templateStack } from '../../stack/work/template.ts';
import { type StackWork, throwFailures } from '../../stack/work/work.ts';
import { compareText } from '../../support/order.ts';
import { titledPlan } from '../plans.ts';
import { checkReport, lintReport } from '../readings.ts';
import { summaryForPrograms } from '../release.ts';
import type { GivenStack } from './given.ts';
import { opened } from './open.ts';
import type {
  CheckedStackRelease,
  LintedStackRelease,
  ListedRelease,
  PlannedStackRelease,
  StackCallOptions,
  StackCheckOptions,
  StackDriftOptions,
  StackLintOptions,
  StackPlanOptions,
  StackReleaseDiff,
  StackReleaseDrift,
  StackReleaseStatus,
  StackTemplateOptions,
  TemplatedRelease,
} from './options.ts';
import { releaseOf, runOptionsOf, workOf } from './runs.ts';
import { toolsOf } from './tools.ts';

/** What is asked of a stack and changes nothing. */

export async function listed(given: GivenStack): Promise<readonly ListedRelease[]> {
  const { files, reading } = await opened(given);
  const found = files.flatMap((file) =>
    selectedForShow(file).map(
      (release): ListedRelease => ({
        ...releaseOf({ id: releaseId(release), release }),
        chart: release.chart ?? '',
        ...(release.version ? { version: release.version } : {}),
        labels: Object.fromEntries(release.labels ?? []),
        needs: release.needs ?? [],
        isWanted: isWanted(release),
        isEnabled: isEnabled(release, file.values),
        file: file.source,
      }),
    ),
  );
  if (found.length === 0) throw noneFound(reading);
  return found.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));
}

export async function built(given: GivenStack): Promise<string> {
  const { files, reading } = await opened(given);
  if (files.every((file) => selectedForShow(file).length === 0)) throw noneFound(reading);
  return files.map((file) => buildText(file, reading)).join('');
}

export async function templated(
  given: GivenStack,
  options: StackTemplateOptions,
): Promise<readonly TemplatedRelease[]> {
  const templating = {
    options: { ...templateOverrides(options), ...given.session.templateInputs },
    clusterOf: async () => undefined,
  };
  const releases: TemplatedRelease[] = [];
  await templateStack(await openReadOnlyRun('template', given, options), templating, async ({ release }, render) => {
    const { output, warnings } = await render();
    releases.push({
      ...releaseOf({ id: releaseId(release), release }),
      output,
      warnings: warnings.map((text) => given.secrets.redact(text)),
    });
  });
  return releases;
}

export async function linted(
  given: GivenStack,
  { strict, skipSchemaValidation, wait, ...call }: StackLintOptions,
): Promise<readonly LintedStackRelease[]> {
  const { session, secrets } = given;
  const downloadSchema = (url: string) => session.sources.schema(url, call);
  const linting = { options: { strict, skipSchemaValidation, wait, downloadSchema }, now: session.clock.now() };
  const releases: LintedStackRelease[] = [];
  await lintStack(await openReadOnlyRun('lint', given, call), linting, async ({ release }, lint) => {
    const { path, result } = await lint();
    releases.push({ ...releaseOf({ id: releaseId(release), release }), chart: path, ...lintReport(result, secrets) });
  });
  return releases;
}

export async function checked(
  given: GivenStack,
  { ignore, signal, isUpgrade, kubeVersion, skipCrds, skipSchemaValidation, wait, ...values }: StackCheckOptions,
): Promise<readonly CheckedStackRelease[]> {
  const { session, secrets } = given;
  const call = { ...values, signal };
  const said = { isUpgrade, kubeVersion, skipCrds, skipSchemaValidation, wait };
  const checking = {
    options: {
      ...givenOf(said),
      ...session.templateInputs,
      downloadSchema: (url: string) => session.sources.schema(url, call),
      secrets,
      signal,
    },
    clusterOf: async () => undefined,
    ignoreOf: () => ignore,
  };
  const releases: CheckedStackRelease[] = [];
  await checkStack(await openReadOnlyRun('check', given, call), checking, async ({ release }, check) => {
    const { path, result } = await check();
    releases.push({ ...releaseOf({ id: releaseId(release), release }), chart: path, ...checkReport(result, secrets) });
  });
  return releases;
}

/** Hooks are programs: where none may run, the releases are looked at without them. */
async function openReadOnlyRun(
  command: ReadOnlyRun['command'],
  given: GivenStack,
  call: Parameters<typeof toolsOf>[1],
): Promise<ReadOnlyRun> {
  const stack = await opened(given);
  const { options, session, tell, secrets } = given;
  return {
    ...stack,
    command,
    needs: options,
    tools: toolsOf(given, call, stack.reading),
    namespace: async () => session.namespace({}),
    onHookOutput: options.programs ? (text) => tell({ kind: 'note', text: secrets.redact(text) }) : undefined,
  };
}

function templateOverrides(options: StackTemplateOptions) {
  const { noHooks, skipSchemaValidation, kubeVersion, apiVersions, includeCrds, skipTests } = options;
  return givenOf({ noHooks, skipSchemaValidation, kubeVersion, apiVersions, includeCrds, skipTests });
}

/** Options that are said, over what the state files say. */
const givenOf = <T extends object>(options: T): Partial<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;

export async function planned(given: GivenStack, options: StackPlanOptions): Promise<readonly PlannedStackRelease[]> {
  const found = await plannedNodes(given, options, false);
  return found.map(({ node, kind, moves, change, diff }) => ({
    ...releaseOf(node),
    kind,
    needs: node.needs,
    moves,
    plan: change && titledPlan(change.decided.plan),
    diff,
  }));
}

export async function differing(given: GivenStack, options: StackPlanOptions): Promise<readonly StackReleaseDiff[]> {
  const found = await plannedNodes(given, options, true);
  return found.flatMap(({ node, diff }) => (diff === undefined ? [] : [{ id: node.id, ...diff }]));
}

async function plannedNodes(
  given: GivenStack,
  options: StackPlanOptions,
  comparesAll: boolean,
): Promise<readonly PlannedNode[]> {
  const work = await workOf(comparesAll ? 'diff' : 'plan', given, options);
  const nodes = deployOrder(work.nodes);
  const { showSecrets } = options;
  return allOf(nodes, await planNodes(nodes, work, { ...runOptionsOf(options), showSecrets, comparesAll }), {
    work,
    options,
  });
}

export async function statuses(given: GivenStack, options: StackCallOptions): Promise<readonly StackReleaseStatus[]> {
  const work = await workOf('status', given, options);
  const outcomes = await recordedReleases(work, options.concurrency);
  const releases = allOf(work.nodes, outcomes, { work, options });
  return work.nodes.map((node, index) => {
    const found = releases[index];
    return { ...releaseOf(node), isWanted: node.isWanted, release: found && summaryForPrograms(found) };
  });
}

export async function drifted(given: GivenStack, options: StackDriftOptions): Promise<readonly StackReleaseDrift[]> {
  const work = await workOf('drift', given, options);
  const { concurrency = 8, showSecrets, ignore } = options;
  const outcomes = await driftOfReleases(work, { concurrency, showSecrets, ignore });
  const nodes = work.nodes.filter(({ isWanted: wanted }) => wanted);
  const found = allOf(nodes, outcomes, { work, options });
  return found.map((drift, index) => ({ id: (nodes[index] as StackNode).id, ...drift }));
}

/** What was found of all of them, in their order. Errors: `stack-failed`, and what the signal says. */
function allOf<T>(
  nodes: readonly StackNode[],
  outcomes: ReadonlyMap<string, NodeOutcome<T>>,
  { work, options }: { readonly work: StackWork; readonly options: StackCallOptions },
): readonly T[] {
  options.signal?.throwIfAborted();
  throwFailures(outcomes, work.reach);
  return doneIn(nodes, outcomes);
}
