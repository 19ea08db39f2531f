import type { Chart } from '../chart/types.ts';
import type { Cluster } from '../cluster/types.ts';
import { remark } from '../execute/remark.ts';
import type { GoMap } from '../go/value.ts';
import { hasObject } from '../manifest/parse.ts';
import { manifestsOf } from '../plan/arrange.ts';
import { chooseWait, orderOf } from '../plan/chosen-order.ts';
import { hookModesOf } from '../plan/hook-modes.ts';
import type { Order } from '../plan/stored-order.ts';
import { refuseSystemLabels } from '../release/labels.ts';
import type { OperationInputs, Release } from '../release/types.ts';
import { manifestText } from '../render/manifest-text.ts';
import type { PreparedChart } from '../render/release.ts';
import { formatTime } from '../support/time.ts';
import type { Context } from './context.ts';
import { refuseForceOfCrds } from './deploy/apply-method.ts';
import { chartCrds, compareCrds } from './deploy/crds.ts';
import { type ChartOptions, type CrdMode, refuseHideSecretWithoutDryRun, strategyOf } from './deploy/deploy-options.ts';
import { idleRuleWarnings } from './deploy/idle-field-rules.ts';
import { keepingWarnings } from './failure.ts';
import type { Opened, Rendered } from './phases.ts';
import { withChartSource } from './record/chart-source.ts';
import { withOrder } from './record/release-order.ts';
import { rememberingFields } from './record/remembered-fields.ts';
import { trimmedChart } from './record/trim-record.ts';
import { operationRecord } from './record/with-lock.ts';
import {
  prepareForRelease,
  type Rendered as RenderedChart,
  type RenderRequest,
  renderForRelease,
} from './rendering/render.ts';

/** A change that brings a chart, opened. */
export interface ChartOpened extends Opened {
  readonly action: 'install' | 'upgrade';
  readonly options: ChartOptions & { readonly name: string };
  readonly chart: Chart;
  /** The user's, with those that are reused. */
  readonly values: GoMap;
  readonly crdMode: CrdMode;
  /** What templates may ask; undefined: nothing. */
  readonly cluster: Cluster | undefined;
  /** `.Release.Revision`: an install in the place of an old release is a first one all the same. */
  readonly templateRevision: number;
  readonly newRevision: NewRevision;
  readonly inputs: () => OperationInputs;
}

/** What is known of the new revision before the chart is rendered. */
export interface NewRevision extends Pick<Release, 'version' | 'applyMethod' | 'labels'> {
  readonly status: 'pending-install' | 'pending-upgrade';
  readonly description: string;
  /** Default: now. */
  readonly firstDeployed?: string | undefined;
}

/**
 * Renders a chart, and says in which order it goes and which CRDs it needs. Kinds that its own CRDs will bring count as
 * served where the change is for real, so that templates see the cluster as it will be when their objects are sent.
 * Errors: those of rendering, `dependency-cycle`, `invalid-ordering`, `crd-upgrade-refused`.
 */
export async function renderChart(opened: ChartOpened, context: Context): Promise<Rendered> {
  const { action, chart, values, crdMode: mode, sight } = opened;
  const isInstall = action === 'install';
  const prepared = await prepareForRelease(chart, values, { isInstall, warnsOfCrds: hidesOwnCrdKinds(opened) });
  await keepingWarnings(prepared.warnings ?? [], async () => refuseSystemLabels(opened.options.labels ?? {}));
  const isSent = isInstall && opened.lastPhase === 'finished' && mode !== 'skip';
  if (isSent && opened.newRevision.applyMethod === 'csa') refuseForceOfCrds(prepared.crds, opened.options);
  const crds = chartCrds(prepared, mode, context);
  const declared = mode === 'skip' || sight !== 'served-and-declared' ? [] : crds;
  const plainly = await renderForRelease(prepared, values, renderRequest(opened, declared, context), context.rendering);
  return keepingWarnings(plainly.warnings, () => ordered(opened, { prepared, plainly, crds }, context));
}

interface UnorderedRendering {
  readonly prepared: PreparedChart;
  readonly plainly: RenderedChart;
  readonly crds: Rendered['manifests'];
}

async function ordered(
  opened: ChartOpened,
  { prepared, plainly, crds }: UnorderedRendering,
  context: Context,
): Promise<Rendered> {
  const { chart, options, crdMode: mode, sight, replaced, history } = opened;
  refuseHideSecretWithoutDryRun(options);
  const charted = {
    chart,
    prepared: prepared.chart,
    rendered: plainly,
    replaced,
    history,
    namespace: opened.namespace,
  };
  const chosen = chooseWait(charted, { wait: options.wait, fallback: strategyOf(options) });
  if (chosen.note !== undefined) context.onEvent?.(remark('note', chosen.note));
  const order = orderOf(charted, chosen, options);
  if (order.undeclared !== undefined) context.onEvent?.({ kind: 'note', text: order.undeclared });
  const rendered = inOrder(plainly, order);
  const fresh = withChartSource(withOrder(newRelease(opened, prepared, rendered, context), order), chart);
  const release = rememberingFields(fresh, options.takeFields, replaced === undefined ? [] : history);
  return {
    ...opened,
    plannedAs: opened.action,
    release,
    recordedAs: opened.newRevision.status,
    manifests: rendered.manifests,
    hooks: rendered.hooks,
    order,
    hookModeOf: hookModesOf(prepared.chart),
    crds: await compareCrds(crds, { mode, sight, options }, context),
    warnings: [...rendered.warnings, ...idleRuleWarnings(options.takeFields, rendered.manifests, release.namespace)],
    again: plainly.again,
    isWeighed: true,
    done: new Set(),
  };
}

/** The rendered chart with its manifest in the order in which it is deployed, as it is stored. */
function inOrder(rendered: RenderedChart, { unit }: Order): RenderedChart {
  if (unit === undefined) return rendered;
  const manifests = [...manifestsOf(unit), ...rendered.manifests.filter((manifest) => !hasObject(manifest))];
  return { ...rendered, manifests, manifest: manifestText(manifests) };
}

/** At --dry-run=server Helm does not know the kinds of the chart's own CRDs (action.Install). */
const hidesOwnCrdKinds = ({ action, options, sight, crdMode }: ChartOpened): boolean =>
  action === 'install' && options.dryRun === 'server' && sight === 'served' && crdMode !== 'skip';

const renderRequest = (
  { options, namespace, action, cluster, templateRevision }: ChartOpened,
  declaredCrds: Rendered['manifests'],
  { signal, secrets }: Context,
): RenderRequest => ({
  release: { name: options.name, namespace, revision: templateRevision, isInstall: action === 'install' },
  cluster,
  declaredCrds,
  renderSubchartNotes: options.renderSubchartNotes,
  hideSecrets: options.hideSecret,
  skipSchemaValidation: options.skipSchemaValidation,
  enableDns: options.enableDns,
  noLookup: options.noLookup,
  // Helm 2's hook events count, and ordering annotations become legal.
  knowHelm2Events: true,
  legalAnnotations: true,
  secrets,
  signal,
});

function newRelease(
  { options, namespace, action, values, newRevision, inputs }: ChartOpened,
  { chart }: PreparedChart,
  rendered: RenderedChart,
  context: Context,
): Release {
  const now = formatTime(context.clock.now());
  const { version, applyMethod, labels, status, description, firstDeployed = now } = newRevision;
  return {
    name: options.name,
    namespace,
    version,
    info: { firstDeployed, lastDeployed: now, status, description, notes: rendered.notes },
    chart: options.trimRecord ? trimmedChart(chart, values) : chart,
    config: values,
    manifest: rendered.manifest,
    hooks: rendered.hooks,
    applyMethod,
    labels,
    operation: operationRecord(options, context, () => ({ action, inputs: inputs() })),
  };
}
