import { crdManifests } from '../change/deploy/crds.ts';
import { withFieldHints } from '../change/field-hints.ts';
import { prepareForRelease, type Rendered, type RenderRequest, renderForRelease } from '../change/rendering/render.ts';
import { problemWithLines } from '../change/template-lines.ts';
import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import type { Chart } from '../chart/types.ts';
import type { Cluster } from '../cluster/types.ts';
import type { Target } from '../execute/apply/targets.ts';
import type { GoMap } from '../go/value.ts';
import { hasObject } from '../manifest/parse.ts';
import type { Manifest } from '../manifest/types.ts';
import { manifestOfHook } from '../plan/arrange.ts';
import { type Level, levelOf, levels } from '../problem/level.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import { validateReleaseName } from '../release/name.ts';
import type { Release } from '../release/types.ts';
import type { PreparedChart, RenderReleaseOptions } from '../render/release.ts';
import { unreadValues } from '../render/unread-values.ts';
import { withYamlProblem } from '../render/yaml-problem.ts';
import { problemsOf, TshelmError } from '../support/errors.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { ParsedSources } from '../template/template-set.ts';
import { answersOf } from './check/answers.ts';
import { duplicateProblems } from './check/duplicates.ts';
import { type Ignored, type IgnoreRule, withoutIgnored } from './check/ignored.ts';
import { type OrderOptions, orderProblems } from './check/order.ts';
import { referenceProblems } from './check/references.ts';
import { givenCapabilities } from './rendering/given-capabilities.ts';

export interface CheckOptions extends OrderOptions, Pick<RenderReleaseOptions, RenderFlags> {
  /** `--kube-version`; only without a cluster. */
  readonly kubeVersion?: string | undefined;
  /** Beside the default ones; only without a cluster. */
  readonly apiVersions?: readonly string[] | undefined;
  readonly isUpgrade?: boolean | undefined;
  /** Leaves out the chart's folder crds/. Default false. */
  readonly skipCrds?: boolean | undefined;
  /** `lookup` finds nothing, though there is a cluster. */
  readonly noLookup?: boolean | undefined;
  /** Is asked about each object by a dry run, and about what the release refers to. What it says goes before what is known here. */
  readonly cluster?: Cluster | undefined;
  /** The revision that the release would replace: fields that cannot be changed are compared with it. */
  readonly replaced?: Release | undefined;
  /** Problems that are known and left as they are. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** Learns what `lookup` reads of Secrets. */
  readonly secrets?: SecretWords | undefined;
  readonly signal?: AbortSignal | undefined;
}

type RenderFlags =
  | 'skipSchemaValidation'
  | 'enableDns'
  | 'postRenderer'
  | 'postRenderStrategy'
  | 'downloadSchema'
  | 'now'
  | 'randomBytes'
  | 'timeZone';

export interface Finding {
  readonly level: Level;
  readonly problem: Problem;
}

export interface CheckResult {
  /** False where the chart cannot be rendered: the findings say why. */
  readonly isRendered: boolean;
  /** What was looked at, hooks too. */
  readonly objects: readonly Pick<Target, 'id' | 'source'>[];
  /** The heaviest first. */
  readonly findings: readonly Finding[];
  readonly ignored: readonly Ignored[];
  /** What Helm logs while it renders. */
  readonly warnings: readonly string[];
}

/**
 * What is wrong with a chart and its values before anything is deployed: everything that an API server would refuse of all
 * objects, and what does not fit together in the release. Errors: those of the cluster, where one is asked.
 */
export async function check(chart: Chart, values: GoMap, options: CheckOptions): Promise<CheckResult> {
  const { ignore = [] } = options;
  const parsed = new ParsedSources();
  let rendering: Rendering;
  try {
    rendering = await renderingOf(chart, values, { ...options, parsed });
  } catch (error) {
    const result = unrendered(error);
    const { kept, ignored } = withoutIgnored(unreadValues(chart, values, { parsed }), [], ignore);
    return { ...result, findings: [...result.findings, ...findingsOf(kept)], ignored };
  }
  const { rendered, crds } = rendering;
  const hooks = options.noHooks ? [] : rendered.hooks.map(manifestOfHook);
  const manifests = [...rendered.manifests.filter(hasObject), ...hooks];
  const answers = await answersOf({ crds, manifests }, options);
  const { objects } = answers;
  const problems = [
    ...answers.problems,
    ...duplicateProblems(rendered.twice ?? [], options.namespace),
    ...(await referenceProblems(objects, options)),
    ...orderProblems(chart, rendering.prepared.chart, rendered, options),
    ...unreadValues(chart, values, { parsed }),
  ];
  const origins = { chart, again: rendered.again, config: values };
  const located = await withFieldHints(problems.map((problem) => problemWithLines(problem, origins)));
  const { kept, ignored } = withoutIgnored(located, objects, ignore);
  return {
    isRendered: true,
    objects,
    findings: findingsOf(kept),
    ignored,
    warnings: rendered.warnings,
  };
}

/** A chart that cannot be loaded or rendered: why, as findings. Errors: the failure itself where it is none of the chart's. */
export function unrendered(error: unknown): CheckResult {
  if (!(error instanceof TshelmError)) throw error;
  const found = problemsOf(withYamlProblem(error));
  const cause = { code: 'chart-not-rendered', words: new Quote(error.message) } as const;
  const problems = found.length > 0 ? found : [problemOf({ subject: { kind: 'release' }, cause })];
  return { isRendered: false, objects: [], findings: findingsOf(problems), ignored: [], warnings: [] };
}

const findingsOf = (problems: readonly Problem[]): readonly Finding[] =>
  problems
    .map((problem) => ({ level: levelOf(problem), problem }))
    .sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));

interface Rendering {
  readonly prepared: PreparedChart;
  readonly rendered: Rendered;
  readonly crds: readonly Manifest[];
}

async function renderingOf(
  chart: Chart,
  values: GoMap,
  options: CheckOptions & Pick<RenderRequest, 'parsed'>,
): Promise<Rendering> {
  const { cluster, name, namespace, isUpgrade = false } = options;
  checkInstallable(chart);
  checkDependencies(chart);
  validateReleaseName(name);
  const capabilities = givenCapabilities(options);
  const prepared = await prepareForRelease(chart, values, { isInstall: true, warnsOfCrds: false });
  const crds = options.skipCrds ? [] : crdManifests(prepared.crds);
  const request: RenderRequest = {
    ...options,
    knowHelm2Events: true,
    legalAnnotations: true,
    release: { name, namespace, revision: options.replaced === undefined ? 1 : 2, isInstall: !isUpgrade },
    declaredCrds: cluster === undefined ? [] : crds,
  };
  const rendered = await renderForRelease(prepared, values, request, { ...options, capabilities });
  return { prepared, rendered, crds };
}
