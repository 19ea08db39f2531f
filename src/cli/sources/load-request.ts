import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OutputFormat } from '../../change/option-rows.ts';
import { missingDependencies } from '../../chart/checks.ts';
import { loadChart } from '../../chart/load.ts';
import type { Chart } from '../../chart/types.ts';
import { assignmentsIn, mergeValues, type ValueOptions } from '../../chart/value-options.ts';
import { slogLine } from '../../go/slog.ts';
import type { GoMap } from '../../go/value.ts';
import type { ChartOnDisk } from '../../source/fetch-chart.ts';
import { shownUrl } from '../../source/http/shown-url.ts';
import { MissingOffline } from '../../source/missing-offline.ts';
import { withSource } from '../../source/trust/chart-signature.ts';
import { hasCode } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { flagFileText } from './flag-file.ts';
import type { ChartRequest, NamedChart } from './named-chart.ts';
import { noticesPrinter } from './notices.ts';
import { decryptionOf, type ReferenceFlags, resolverOf } from './secret-values.ts';

/** Helm's install and upgrade tell of a pull on standard output, which spoils JSON and YAML: there it goes beside them. */
export const messageStreamFor = (output: OutputFormat): 'stdout' | 'stderr' =>
  output === 'table' ? 'stdout' : 'stderr';

/**
 * The chart that the user names and the values that the user gives. As in Helm a chart that is not there is reported
 * first, then the values, then what is wrong in the chart. Offline all that is missing is reported at once.
 */
export async function loadRequest(
  { values: given, ...named }: ChartRequest,
  context: CliContext,
): Promise<{ readonly chart: Chart; readonly values: GoMap }> {
  const missing = new MissingOffline();
  const found = await missing.collect(() => chartOnDisk(named, context));
  const { secretRefs } = named.access;
  const values = await mergeRequestValues(given, context, { ...named.flags, secretRefs, missing });
  if (found === undefined) missing.throwIfAny();
  const here = found as ChartOnDisk;
  const load = () => loadFetched(here, named, context);
  const loaded = await load();
  const whole = () => withDependencies(loaded, { ...named, path: here.path, load }, context);
  const chart = (await missing.collect(whole)) ?? loaded;
  missing.throwIfAny();
  // Lines of its templates are told by their files' names.
  context.secrets.addNames(chartNames(chart));
  warnOfDeprecation(chart, context);
  return { chart: await inGivenOrder(chart, named.access.order, context), values };
}

const chartNames = ({ metadata, dependencies }: Chart): readonly string[] => [
  metadata.name,
  ...dependencies.flatMap(chartNames),
];

/** The chart in the order of the file that --order names. Errors: `bad-flag` where it cannot be read, `order-file-invalid`. */
async function inGivenOrder(chart: Chart, file: string | undefined, { io }: CliContext): Promise<Chart> {
  if (file === undefined) return chart;
  const { readOrderFile } = await import('../../chart/order-file.ts');
  const { withOrderFile } = await import('../../plan/outside-order.ts');
  const text = await flagFileText('order', resolve(io.cwd, file));
  return withOrderFile(chart, readOrderFile(text, file));
}

/** What was fetched lies in the content cache under its digest: a failure names where it came from, too. */
async function loadFetched(found: ChartOnDisk, { reference, access }: NamedChart, context: CliContext): Promise<Chart> {
  const { path } = found;
  try {
    return withSource(await loadChart(path, { onNotice: noticesPrinter(context) }), found);
  } catch (cause) {
    if (path === reference.trim() || !hasCode(cause, 'chart-invalid')) throw cause;
    const source = [access.repoUrl, reference].flatMap((part) => (part ? [shownUrl(part)] : []));
    throw cause.wrapped({ message: `${cause.message}; it was fetched from ${source.join(' ')}` });
  }
}

/** Said before anything is rendered, so that a run that fails has said it too. */
function warnOfDeprecation({ metadata }: Chart, { io }: CliContext): void {
  if (metadata.deprecated !== true || metadata.type?.toLowerCase() === 'library') return;
  io.stderr.write(`${slogLine('WARN', 'this chart is deprecated')}\n`);
}

interface LoadedFolder extends NamedChart {
  readonly path: string;
  readonly load: () => Promise<Chart>;
}

/** With --dependency-update, charts/ is filled where it lacks something. Go: cmd.runInstall. */
async function withDependencies(chart: Chart, loaded: LoadedFolder, context: CliContext): Promise<Chart> {
  const { flags, access, path, load, messageStream = 'stderr' } = loaded;
  if (!flags.dependencyUpdate || missingDependencies(chart).length === 0) return chart;
  const { withDependencyTools } = await import('./dependencies.ts');
  const { updateDependencies } = await import('../../source/dependency/manager.ts');
  const { caFile, certFile, keyFile, insecureSkipTlsVerify, plainHttp, username, password, keyring } = access;
  const servers = { caFile, certFile, keyFile, insecureSkipTlsVerify, plainHttp, username, password, keyring };
  const { trustPolicy } = access;
  await withDependencyTools(
    { ...flags, ...servers, trustPolicy, verifying: 'never', messageStream },
    context,
    (tools) => updateDependencies(path, tools),
  );
  return load();
}

/** The chart that the user names, to be shown. */
export async function loadShownChart(named: NamedChart, context: CliContext): Promise<Chart> {
  const { path } = await chartOnDisk(named, context);
  return loadChart(path, { onNotice: noticesPrinter(context), ofAnyVersion: true });
}

/** Where the chart is on this machine, fetched if need be. What only that needs is loaded then. */
async function chartOnDisk(named: NamedChart, context: CliContext): Promise<ChartOnDisk> {
  const { reference, access } = named;
  const path = reference.trim();
  if (access.caFile || access.certFile) await (await import('../../session/sources.ts')).checkTls(access);
  const isHere = path !== '' && !access.repoUrl && existsSync(path);
  if ((isHere && !access.verify && !access.trustPolicy) || path === '') return { path };
  const { sourcesOf } = await import('./sources.ts');
  const { defaultKeyring } = await import('../../source/provenance/keyring.ts');
  const { flags, messageStream = 'stderr' } = named;
  const keyring = access.keyring ?? defaultKeyring(context.io.env);
  const tell = (text: string): void => context.io[messageStream].write(text);
  return sourcesOf(flags, context).locate(reference, { ...access, keyring, tell });
}

/**
 * The values that the user gives, from files, the web and standard input. What they hold under keys such as `password` is
 * kept out of messages from here on; a chart's own values are no secrets, since everybody can read the chart.
 */
export async function mergeRequestValues(
  options: ValueOptions,
  context: CliContext,
  { missing, secretRefs, ...flags }: ReferenceFlags & { readonly missing?: MissingOffline } = {},
): Promise<GoMap> {
  const { io, secrets } = context;
  context.useValues(options);
  for (const text of assignmentsIn(options)) secrets.addAssignment(text);
  const download = async (url: string): Promise<Uint8Array | undefined> => {
    const { sourcesOf } = await import('./sources.ts');
    const fetched = async () => ({ data: await sourcesOf(flags, context).values(url, {}) });
    if (missing === undefined) return (await fetched()).data;
    const found = await missing.collect(fetched);
    return found === undefined ? new Uint8Array() : found.data;
  };
  const decrypt = decryptionOf(flags, context);
  const followed = resolverOf({ secretRefs, ...flags }, options, context);
  const resolve = async (values: GoMap): Promise<GoMap> =>
    missing === undefined ? followed(values) : ((await missing.collect(() => followed(values))) ?? values);
  const merged = await mergeValues(options, { readStdin: io.readStdin, download, decrypt, resolve });
  secrets.addValues(merged);
  return merged;
}
