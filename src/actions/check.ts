import { crdManifests } from '../change/deploy/crds.ts';
import { withFieldHints } from '../change/field-hints.ts';
import { learnFromObjects } from '../change/learn-secrets.ts';
import {
  prepareForRelease,
  type Rendered,
  type RenderRequest,
  renderForRelease,
  withDeclaredKinds,
} from '../change/rendering/render.ts';
import { problemWithLines } from '../change/template-lines.ts';
import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import { nameOfKeys } from '../chart/tables.ts';
import type { Chart } from '../chart/types.ts';
import type { Cluster } from '../cluster/types.ts';
import { isCrd } from '../execute/apply/targets.ts';
import type { GoMap } from '../go/value.ts';
import { defaultMinor } from '../kinds/field-types.ts';
import { hasObject, KnownDocuments } from '../manifest/parse.ts';
import type { Manifest } from '../manifest/types.ts';
import { manifestOfHook } from '../plan/arrange.ts';
import { levelOf, levels } from '../problem/level.ts';
import { fieldsIn } from '../problem/place.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import type { Remedy } from '../problem/remedy.ts';
import { validateReleaseName } from '../release/name.ts';
import type { Release } from '../release/types.ts';
import { type KubeVersion, readKubeVersion } from '../render/kube-version.ts';
import type { PreparedChart, RenderReleaseOptions } from '../render/release.ts';
import { ReusedKeys } from '../render/reused-keys.ts';
import { renamedValues, unreadValues } from '../render/unread-values.ts';
import { withYamlProblem } from '../render/yaml-problem.ts';
import { hasCode, problemsOf, TshelmError } from '../support/errors.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { ParsedSources } from '../template/template-set.ts';
import { answersOf, type Deployed } from './check/answers.ts';
import { problemsAsMeant, underWrittenName } from './check/as-meant.ts';
import { duplicateProblems } from './check/duplicates.ts';
import { type Attempt, type Outcome, templateFailures, withOneName } from './check/failing-templates.ts';
import type { CheckResult, Finding } from './check/finding.ts';
import { type IgnoreRule, invalidIgnores, withoutIgnored } from './check/ignored.ts';
import { type OrderOptions, orderProblems } from './check/order.ts';
import { referenceProblems } from './check/references.ts';
import { repeatedKeyProblems } from './check/repeated-keys.ts';
import { withVersions } from './check/version-problems.ts';
import {
  askedVersions,
  capabilitiesOf,
  joinedResults,
  minorOf,
  unknownVersions,
  type VersionResult,
} from './check/versions.ts';

export interface CheckOptions extends OrderOptions, Pick<RenderReleaseOptions, RenderFlags> {
  /**
   * `--kube-version`: `1.37`, or several as `1.34,1.37`. Without a cluster the chart is rendered for each of them. Default:
   * that of the cluster, or else the one that the sandbox has.
   */
  readonly kubeVersion?: string | undefined;
  /** Beside those of the version; only without a cluster. */
  readonly apiVersions?: readonly string[] | undefined;
  readonly isUpgrade?: boolean | undefined;
  /** Leaves out the chart's folder crds/. Default false. */
  readonly skipCrds?: boolean | undefined;
  /** CRDs that will be there beside those of the chart. With a cluster those of the cluster are there too. */
  readonly crds?: readonly Manifest[] | undefined;
  /**
   * ValidatingAdmissionPolicies, their bindings and parameters that the objects are judged by, beside those of the chart and
   * of the cluster.
   */
  readonly policies?: readonly Manifest[] | undefined;
  /** `lookup` finds nothing, though there is a cluster. */
  readonly noLookup?: boolean | undefined;
  /** Is asked about each object by a dry run, and about what the release refers to. What it says goes before what is known here. */
  readonly cluster?: Cluster | undefined;
  /** The revision that the release would replace: fields that cannot be changed are compared with it. */
  readonly replaced?: Release | undefined;
  /** Problems that are known and left as they are. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** The only template to look at: `shop/templates/web.yaml`. What does not fit together in the release is then not told. */
  readonly only?: string | undefined;
  /** What the templates were parsed into by other checks. */
  readonly parsed?: ParsedSources | undefined;
  /** Is awaited before each object, so that others get their turn; fails to end the check. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Learns what `lookup` reads of Secrets, and what those of the chart hold. */
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

export type { CheckResult, Finding } from './check/finding.ts';

/**
 * What is wrong with a chart and its values before anything is deployed: everything that an API server would refuse of all
 * objects, and what does not fit together in the release. Each version of Kubernetes has a rendering of its own. Errors:
 * `invalid-kube-version`, those of the cluster, where one is asked.
 */
export async function check(chart: Chart, values: GoMap, options: CheckOptions): Promise<CheckResult> {
  const parsed = options.parsed ?? lastParsed;
  const given = {
    chart,
    values,
    options,
    parsed,
    valueProblems: onFirstCall(() => valueProblems(chart, values, parsed)),
  };
  const asked = askedVersions(options.kubeVersion);
  if (options.cluster !== undefined) {
    const { major, minor, gitVersion } = await options.cluster.version({ signal: options.signal });
    const own = { version: gitVersion, normalized: '', major, minor };
    return checkVersions({
      ...given,
      versions: asked.length === 0 ? [own] : asked,
      minor: minorOf(own) || undefined,
    });
  }
  if (asked.length === 0) return checkVersions({ ...given, versions: [defaultVersion] });
  const results: VersionResult[] = [];
  for (const version of asked) {
    const result = await checkVersions({ ...given, versions: [version] });
    results.push({ versions: [`${version.major}.${version.minor}`], result });
  }
  return joinedResults(results);
}

/** Several checks of a process often have charts, or library charts, in common. */
const lastParsed = new ParsedSources(8 * 1024 * 1024);
const lastDocuments = new KnownDocuments();

/** The one whose API this process has. */
const defaultVersion = readKubeVersion(`1.${defaultMinor}.0`);

interface Checked {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly options: CheckOptions;
  /** Those that the objects are for; templates see the newest, or else the cluster. */
  readonly versions: readonly KubeVersion[];
  readonly minor?: number | undefined;
  readonly parsed: ParsedSources;
  /** The same for all versions. */
  readonly valueProblems: () => readonly Problem[];
}

function onFirstCall<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

async function checkVersions(checked: Checked): Promise<CheckResult> {
  const { options, versions } = checked;
  const { ignore = [] } = options;
  let rendering: Rendering;
  try {
    rendering = await renderingOf(checked);
  } catch (error) {
    const found = await templateFailures(checked, unrenderedOutcome(error), (attempt) => outcomeOf(attempt, checked));
    const { failures, unread } = withOneName(found, checked.valueProblems());
    const { kept, ignored } = withoutIgnored(unread, [], ignore);
    return { ...unrendered(error), findings: [...findingsOf(failures), ...findingsOf(kept)], ignored };
  }
  const { objects, problems } = await objectProblems(rendering, checked);
  const located = await withHints([...problems, ...checked.valueProblems()], rendering, checked);
  const { kept, ignored } = withoutIgnored(withoutContraryNames(withoutRepeats(located)), objects, ignore);
  return {
    isRendered: true,
    objects,
    findings: findingsOf(kept),
    ignored,
    warnings: [...unknownVersions(versions), ...rendering.rendered.warnings],
  };
}

/** What an API server would refuse of the objects, and what does not fit together among them. */
async function objectProblems(rendering: Rendering, checked: Checked) {
  const { chart, options } = checked;
  const { rendered, prepared } = rendering;
  const { problems, objects, renewed, unchecked, moved, written, manifests } = await answersTo(rendering, checked);
  const ofReferences = await problemsAsMeant([...objects, ...renewed], moved, (meant) =>
    referenceProblems(meant, chart.metadata.name, { ...options, unchecked }),
  );
  const all = [
    ...problems,
    ...duplicateProblems(rendered.twice ?? [], options.namespace),
    ...repeatedKeyProblems(manifests, options.namespace),
    ...ofReferences.map((problem) => underWrittenName(problem, written)),
    ...orderProblems(chart, prepared.chart, rendered, options),
    ...invalidIgnores(objects),
  ];
  return { objects, problems: all };
}

async function answersTo(rendering: Rendering, checked: Checked) {
  const { options, versions, minor } = checked;
  const deployed = objectsOf(rendering, options);
  const { crds, manifests } = deployed;
  const isAsked = options.cluster !== undefined && askedVersions(options.kubeVersion).length === 0;
  const answers = await answersOf(deployed, { ...options, minor: minor ?? versions.map(minorOf).at(-1) });
  const problems = withVersions(answers.problems, [...crds, ...manifests], { versions, isAsked });
  return { ...answers, problems, manifests };
}

function objectsOf({ rendered, crds }: Rendering, { noHooks, secrets }: CheckOptions): Deployed {
  const hooks = noHooks ? [] : rendered.hooks.map(manifestOfHook);
  const manifests = [...rendered.manifests.filter(hasObject), ...hooks];
  const objects = manifests.map(({ object }) => object);
  learnFromObjects(objects, secrets);
  return { crds, manifests };
}

/** The problems with their lines, and what was probably meant. */
function withHints(problems: readonly Problem[], rendering: Rendering, { chart, values, options }: Checked) {
  const { rendered, crds } = rendering;
  const origins = { chart, again: rendered.again, config: values };
  const given = [...crds, ...rendered.manifests.filter(hasObject), ...(options.crds ?? [])].map(({ object }) => object);
  const located = problems.map((problem) => problemWithLines(problem, origins));
  return withFieldHints(located, given.filter(isCrd));
}

/** Where the chart itself sets another name than it reads, that is told once. */
function valueProblems(chart: Chart, values: GoMap, parsed: ParsedSources): readonly Problem[] {
  const renamed = renamedValues(chart, { parsed });
  const told = new Set(renamed.map(nameOfUnread));
  return [...unreadValues(chart, values, { parsed }).filter((one) => !told.has(nameOfUnread(one))), ...renamed];
}

const nameOfUnread = ({ cause }: Problem): string => (cause.code === 'value-unread' ? cause.keys.join('.') : '');

const missingPorts: ReadonlySet<string> = new Set([
  'probe-port-missing',
  'target-port-missing',
  'service-port-missing',
]);

/** A port that is refused is missing where others ask for it: of the same value only the first is told. */
function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const keysIn = ({ places }: Problem): readonly string[] =>
    fieldsIn(places).flatMap(({ values = [] }) => values.map(({ keys }) => nameOfKeys(keys)));
  const refused = new Set(problems.filter((one) => levelOf(one) === 'error').flatMap(keysIn));
  const isRepeat = (problem: Problem): boolean => {
    const keys = keysIn(problem);
    return missingPorts.has(problem.code) && keys.length > 0 && keys.every((one) => refused.has(one));
  };
  return problems.filter((problem) => !isRepeat(problem));
}

/** A default that was renamed is told by itself: what templates read in its place is then no other mistake. */
function withoutContraryNames(problems: readonly Problem[]): readonly Problem[] {
  const renamed = problems.flatMap(({ cause, remedies }) =>
    cause.code === 'value-unread' && cause.isDefault ? remedies.filter((one) => one.kind === 'use-name') : [],
  );
  if (renamed.length === 0) return problems;
  const meantBy = (one: Remedy): Remedy =>
    one.kind === 'use-name'
      ? (renamed.find((two) => one.name === two.instead && one.instead === two.name) ?? one)
      : one;
  return problems.map((problem) => ({ ...problem, remedies: problem.remedies.map(meantBy) }));
}

const unrenderedOutcome = (error: unknown): Outcome => ({
  isRendered: false,
  isOfSchema: hasCode(error, 'values-schema'),
  problems: unrendered(error).findings.map(({ problem }) => problem),
});

/** Of a chart without some of its templates only what an API server would refuse is known. */
async function outcomeOf({ skipsSchema, isWhole, ...changed }: Attempt, checked: Checked): Promise<Outcome> {
  const { options } = checked;
  const attempted = {
    ...checked,
    ...changed,
    options: skipsSchema ? { ...options, skipSchemaValidation: true } : options,
  };
  let rendering: Rendering;
  try {
    rendering = await renderingOf(attempted);
  } catch (error) {
    return unrenderedOutcome(error);
  }
  const { problems } = await (isWhole ? objectProblems : answersTo)(rendering, attempted);
  const located = await withHints(problems, rendering, attempted);
  const errors = located.filter((one) => levelOf(one) === 'error');
  return { isRendered: true, problems: isWhole ? withoutRepeats(located) : errors };
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

const keys = new ReusedKeys(1024);

async function renderingOf({ chart, values, options, versions, parsed }: Checked): Promise<Rendering> {
  const { name, namespace, isUpgrade = false, apiVersions = [] } = options;
  checkInstallable(chart);
  checkDependencies(chart);
  validateReleaseName(name);
  const prepared = await prepareForRelease(chart, values, { isInstall: true, warnsOfCrds: false });
  const crds = options.skipCrds ? [] : crdManifests(prepared.crds);
  const declaredCrds = [...crds, ...(options.crds ?? [])];
  const capabilities = withDeclaredKinds(capabilitiesOf(versions.at(-1) ?? defaultVersion, apiVersions), declaredCrds);
  const request: RenderRequest = {
    ...options,
    parsed,
    documents: lastDocuments,
    knowHelm2Events: true,
    legalAnnotations: true,
    release: { name, namespace, revision: options.replaced === undefined ? 1 : 2, isInstall: !isUpgrade },
    declaredCrds,
  };
  const engine = { ...options, capabilities, rsaKey: keys.forRender() };
  const rendered = await renderForRelease(prepared, values, request, engine);
  return { prepared, rendered, crds };
}
