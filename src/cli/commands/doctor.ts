import type { Command } from 'commander';
import type { ClusterReport } from '../../actions/doctor.ts';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import type { FlagSpec } from '../../change/option-rows.ts';
import { refusalIn } from '../../cluster/api-error.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { recordKindOf } from '../../release/drivers.ts';
import { hasCode, messageOf } from '../../support/errors.ts';
import { withoutUserInfo } from '../../support/user-info.ts';
import type { CliContext } from '../context.ts';
import { credentialFix } from '../credential-fix.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { formatFlag } from '../flags/flags.ts';
import { keepQuiet, quietFlag } from '../flags/progress-flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import type { AdvisedFinding } from '../output/doctor-text.ts';
import { kindOf } from '../terminal/io.ts';

const ownFlags = {
  ...dependencyUpdateFlag,
  ...offlineFlag,
  ...quietFlag,
  ...formatFlag('output', ['text', 'json', 'yaml']),
  role: { type: 'bool', description: 'print the smallest Role for deploys, as YAML, and nothing else' },
} satisfies Record<string, FlagSpec>;

export interface DoctorRequest extends ChartInputs {
  readonly chart: string | undefined;
  readonly flags: GivenFlags<typeof ownFlags>;
}

/** `doctor [CHART]`: exit code 1 if something keeps deploys from working. */
export const command = (context: CliContext, run = runDoctor): Command =>
  flagCommand(
    'doctor',
    { ...chartInputFlags, ...ownFlags },
    { usage: '[CHART] [flags]', words: { atMost: 1 } },
    ([chart], flags) => run({ chart, ...chartInputs(flags), flags }, context),
  ).description('find out what keeps deploys from working: kubeconfig, server, rights, locks, logins, folders');

async function runDoctor(request: DoctorRequest, context: CliContext): Promise<void> {
  const { flags } = request;
  keepQuiet(flags, context);
  const { output } = flags;
  const { io } = context;
  if (flags.role) {
    const { needed } = await clusterReport(request, context);
    io.stdout.write(await rolesText(needed, await context.namespace(flags)), 'data');
    return;
  }
  const { examineMachine } = await import('../sources/machine.ts');
  const machine = await examineMachine(flags, context);
  const hasCluster = !machine.some(({ area, level }) => area === 'kubeconfig' && level === 'error');
  const found = [...machine, ...(await clusterFindings(request, context, { hasCluster }))];
  const findings = found.map((one) => withoutSecrets(one, context));
  if (findings.some(({ level }) => level === 'error')) context.endWith(1);
  if (output === 'text') {
    const { doctorText } = await import('../output/doctor-text.ts');
    io.stdout.write(doctorText(findings, io.stdout.columns), 'text');
    return;
  }
  const { formatted } = await import('../terminal/format.ts');
  io.stdout.write(formatted(findings, output), kindOf(output));
}

/** Errors name the URL of the server and of proxies as they are given. */
const withoutSecrets = ({ text, command, ...rest }: AdvisedFinding, { secrets }: CliContext): AdvisedFinding => ({
  ...rest,
  text: withoutUserInfo(secrets.redact(text)),
  ...(command !== undefined && { command: withoutUserInfo(command) }),
});

/** A cluster that cannot be examined is one of the findings; a kubeconfig that is at fault counts once. */
async function clusterFindings(
  request: DoctorRequest,
  context: CliContext,
  { hasCluster }: { readonly hasCluster: boolean },
): Promise<readonly AdvisedFinding[]> {
  try {
    const { advised } = await import('../output/doctor-text.ts');
    const { givenChart, nextCommand } = await import('../errors/next-command.ts');
    const chart = givenChart(context);
    const { findings } = await clusterReport(request, context);
    const namespace = await context.namespace(request.flags);
    return await Promise.all(
      findings.map((one) => advised(one, chart, (words) => nextCommand(words, namespace, context))),
    );
  } catch (thrown) {
    if (thrown instanceof DOMException) throw thrown;
    const isCounted = hasCluster || !isUnreachable(thrown);
    const finding = { area: 'server', level: isCounted ? 'error' : 'note', text: messageOf(thrown) } as const;
    const user = refusalIn(thrown)?.asked?.user;
    if (user === undefined || !isCounted) return [finding];
    const isGiven = Boolean(context.settings(request.flags).kube.token);
    return [{ ...finding, fix: credentialFix(user, { isGiven }) }];
  }
}

const isUnreachable = (thrown: unknown): boolean =>
  hasCode(thrown, 'cluster-unreachable') || refusalIn(thrown)?.status === 401;

async function clusterReport(request: DoctorRequest, context: CliContext): Promise<ClusterReport> {
  const { examineCluster } = await import('../../actions/doctor.ts');
  const session = await context.open(request.flags);
  const kinds = request.chart === undefined ? undefined : await kindsOf(request.chart, request, context);
  return examineCluster({ kinds, recordKind: recordKindOf(session.settings.driver) }, session);
}

/** The kinds that a chart has with these values, those of its hooks and CRDs too. */
async function kindsOf(
  reference: string,
  request: DoctorRequest,
  context: CliContext,
): Promise<readonly Pick<ResourceId, 'apiVersion' | 'kind'>[]> {
  const { templateChart } = await import('../../actions/template.ts');
  const { parseManifests } = await import('../../manifest/parse.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { chart, values } = await loadRequest({ ...request, reference }, context);
  const namespace = await context.namespace(request.flags);
  const options = { name: 'release-name', namespace, includeCrds: true, now: context.io.now };
  const { output } = await templateChart(chart, values, options);
  const kinds = parseManifests(output).map(({ object: { apiVersion, kind } }) => ({ apiVersion, kind }));
  return [...new Map(kinds.map((of) => [`${of.apiVersion} ${of.kind}`, of])).values()];
}

async function rolesText(needed: ClusterReport['needed'], namespace: string): Promise<string> {
  const { rolesWith } = await import('../../actions/doctor/rights.ts');
  const { writePlainYamlInOrder } = await import('../../yaml/index.ts');
  return rolesWith(needed, namespace).map(writePlainYamlInOrder).join('---\n');
}
