import type { CheckResult } from '../actions/check.ts';
import type { ReleaseDiff } from '../actions/comparison/object-diff.ts';
import { diffUpgrade } from '../actions/diff.ts';
import { install } from '../actions/install.ts';
import { type LintResult, lintChart } from '../actions/lint.ts';
import { givenCapabilities } from '../actions/rendering/given-capabilities.ts';
import { templateChart } from '../actions/template.ts';
import { upgrade } from '../actions/upgrade.ts';
import { clusterViewForTemplates } from '../change/rendering/render.ts';
import type { OrderDeclarations } from '../chart/order-file.ts';
import type { MeasuredRun } from '../plan/suggested/measured-run.ts';
import type { Plan } from '../plan/types.ts';
import { readKubeVersion } from '../render/kube-version.ts';
import { renderRelease } from '../render/release.ts';
import { dataWithoutSecrets } from '../session/failure-without-secrets.ts';
import { hasCode } from '../support/errors.ts';
import { awaitOutsideWork } from '../support/outside-work.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { readPlainYaml } from '../yaml/index.ts';
import type {
  ChartReference,
  CheckOptions,
  CheckReport,
  DiffOptions,
  LintOptions,
  LintReport,
  PlanOptions,
  RenderOptions,
  SuggestedOrder,
  SuggestOrderOptions,
  TemplateOptions,
  TemplateResult,
} from './options.ts';
import { titledPlan } from './plans.ts';
import { postRendererOf } from './post-renderer.ts';
import { defaultName, engineOptions, preparedChart, type Rendered, renderedForPrograms } from './render.ts';
import { type Session, secretsOf } from './session.ts';

/** What is asked for and changes nothing. */

export async function rendered(reference: ChartReference, options: RenderOptions, session: Session): Promise<Rendered> {
  const { chart, values } = await session.chartAndValues(reference, options);
  const { postRenderStrategy, signal } = options;
  const prepared = preparedChart(chart, values, options);
  const release = await renderRelease(prepared, values, {
    ...engineOptions(options, session.defaults),
    ...(await clusterViewForTemplates(await clusterFor(options, session), { signal })),
    postRenderer: postRendererOf(options),
    postRenderStrategy,
    downloadSchema: (url) => session.sources.schema(url, options),
  });
  return renderedForPrograms(release, prepared);
}

export async function templated(
  reference: ChartReference,
  options: TemplateOptions,
  session: Session,
): Promise<TemplateResult> {
  const { chart, values } = await session.chartAndValues(reference, options);
  const { namespace } = session.defaults;
  const result = await templateChart(chart, values, {
    ...options,
    namespace: options.namespace ?? namespace,
    name: options.name ?? defaultName,
    cluster: await clusterFor(options, session),
    postRenderer: postRendererOf(options),
    downloadSchema: (url) => session.sources.schema(url, options),
    ...session.templateInputs,
  });
  return { output: result.output, warnings: result.warnings.map((text) => secretsOf(options).redact(text)) };
}

const clusterFor = async (options: RenderOptions, session: Session) =>
  options.useCluster ? session.readCluster(options) : undefined;

/** A plan with hazards is shown: to refuse it is for those who carry it out. */
export async function planned(
  name: string,
  reference: ChartReference,
  options: PlanOptions,
  session: Session,
): Promise<Plan> {
  const { save } = options;
  if (save !== undefined) {
    const work = (await import('./saved-plan.ts')).saved;
    return session.connection.during(async () =>
      titledPlan(await work(name, reference, { ...options, save }, session)),
    );
  }
  const { chart, values } = await session.chartAndValues(reference, options);
  const wait = options.wait ?? 'ordered';
  if (options.action === 'upgrade') {
    const { plan } = await session.connection.during(async () =>
      upgrade(
        chart,
        values,
        { install: true, ...options, wait, name, dryRun: 'plan' },
        await session.readContext(options),
      ),
    );
    return titledPlan(plan);
  }
  const capabilities = givenCapabilities(options);
  const asked = () => session.readContext(options);
  const { serverSide: _applyMethod, ...common } = options;
  const context = {
    namespace: session.namespace(options),
    cluster: async () => (await asked()).cluster(),
    storage: async () => (await asked()).storage(),
    rendering: { ...session.rendering(options), capabilities },
    clock: session.clock,
  };
  return titledPlan((await install(chart, values, { ...common, wait, name, dryRun: 'client' }, context)).plan);
}

export const diffRelease = (
  name: string,
  reference: ChartReference,
  options: DiffOptions,
  session: Session,
): Promise<ReleaseDiff> =>
  session.connection.during(async () => {
    const { chart, values } = await awaitOutsideWork(session.chartAndValues(reference, options));
    return diffUpgrade(chart, values, { ...options, name }, await session.readContext(options));
  });

export async function linted(path: string, options: LintOptions, session: Session): Promise<LintReport> {
  const { kubeVersion, strict, skipSchemaValidation, wait } = options;
  const result = await lintChart(path, {
    strict,
    skipSchemaValidation,
    wait,
    namespace: session.namespace(options),
    values: await session.values(options),
    kubeVersion: kubeVersion === undefined ? undefined : readKubeVersion(kubeVersion),
    downloadSchema: (url) => session.sources.schema(url, options),
  });
  return lintReport(result, secretsOf(options));
}

/** What a cluster would refuse in a chart, and what does not fit together in it. */
export async function checked(
  reference: ChartReference,
  options: CheckOptions,
  session: Session,
): Promise<CheckReport> {
  const { check, unrendered } = await import('../actions/check.ts');
  try {
    const { chart, values } = await session.chartAndValues(reference, options);
    const result = await check(chart, values, {
      ...options,
      namespace: session.namespace(options),
      name: options.name ?? defaultName,
      cluster: await clusterFor(options, session),
      postRenderer: postRendererOf(options),
      secrets: secretsOf(options),
      downloadSchema: (url) => session.sources.schema(url, options),
      ...session.templateInputs,
    });
    return checkReport(result, secretsOf(options));
  } catch (error) {
    if (hasCode(error, 'chart-invalid')) return checkReport(unrendered(error), secretsOf(options));
    throw error;
  }
}

export async function suggestedOrder(
  reference: ChartReference,
  options: SuggestOrderOptions,
  session: Session,
): Promise<SuggestedOrder> {
  const { suggestOrder } = await import('../actions/suggest-order.ts');
  const { chart, values } = await session.chartAndValues(reference, options);
  const { fromRun, ...others } = options;
  const { text } = await suggestOrder(chart, values, {
    ...others,
    run: fromRun === undefined ? undefined : await runOf(fromRun, options, session),
    namespace: session.namespace(options),
    name: options.name ?? fromRun ?? defaultName,
    ...session.templateInputs,
  });
  const shown = secretsOf(options).redact(text);
  return { order: readPlainYaml(shown) as OrderDeclarations, text: shown };
}

async function runOf(name: string, options: SuggestOrderOptions, session: Session): Promise<MeasuredRun> {
  const { measuredRun } = await import('../actions/measured-run.ts');
  const context = await session.readContext(options);
  return session.connection.during(() => measuredRun(name, context));
}

/** Without secrets. */
export const checkReport = (
  { isRendered, objects, findings, ignored }: CheckResult,
  secrets: SecretWords,
): CheckReport =>
  dataWithoutSecrets(
    {
      isRendered,
      objects: objects.map(({ id }) => id),
      findings: findings.map(({ level, problem }) => ({ level, ...problem })),
      ignored,
    },
    secrets,
  );

/** Without secrets. */
export const lintReport = ({ messages, problem, isFailed }: LintResult, secrets: SecretWords): LintReport => ({
  messages: messages.map((one) => ({ ...one, text: secrets.redact(one.text) })),
  problem,
  isFailed,
});
