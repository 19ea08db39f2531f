import { coalesceValues } from '../../chart/coalesce.ts';
import { processDependencies } from '../../chart/dependencies.ts';
import { info, type Notify, warn } from '../../chart/notice.ts';
import type { Chart } from '../../chart/types.ts';
import { validateValues } from '../../chart/validate-values.ts';
import { extension } from '../../go/path.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { byteLength, encodeText } from '../../go/text.ts';
import type { GoMap } from '../../go/value.ts';
import { lifecycleOf } from '../../kinds/lifecycles.ts';
import { classify } from '../../manifest/classify.ts';
import type { Classified } from '../../manifest/types.ts';
import { defaultCapabilities } from '../../render/capabilities.ts';
import { encryptedFields, mayHoldEncrypted } from '../../render/encrypted-values.ts';
import { loadHandlebars, renderChart } from '../../render/engine.ts';
import type { LintCause } from '../../render/engine-functions.ts';
import type { KubeVersion } from '../../render/kube-version.ts';
import { trimSuffix } from '../../support/text.ts';
import { factText } from '../../words/fact.ts';
import { readObjects } from './documents.ts';
import { folderProblem } from './folder.ts';
import { Findings, failureText, type LintMessage } from './message.ts';
import { itemAnnotations, type ObjectHead, objectHeadType } from './object-head.ts';
import { nameProblem } from './object-name.ts';
import type { LintSubject } from './subject.ts';

const folder = 'templates/';

/** templates/: renders, and what it renders is objects that a cluster may take. Go: rules.Templates. */
export async function templatesRule(subject: LintSubject): Promise<readonly LintMessage[]> {
  const found = new Findings();
  const problem = await folderProblem(`${subject.directory}/templates`);
  if (problem === 'absent') found.warning(folder, 'directory does not exist');
  else found.error(folder, problem);
  if (problem !== undefined) return found.messages;
  const chart = await found.tried(folder, subject.chart);
  const prepared = chart && prepare(chart, subject);
  if (prepared === undefined) return found.messages;
  const files = await found.tried(folder, () => render(prepared, subject));
  if (files === undefined) return found.messages;
  checkFiles(prepared.chart, files, subject, found);
  return [...found.messages, ...encryptedMessages(files)];
}

/** What a release would be refused for, and Helm deploys. */
const encryptedMessages = (files: ReadonlyMap<string, string>): readonly LintMessage[] =>
  [...files.values()].some(mayHoldEncrypted)
    ? encryptedFields(classifiedIfValid(withoutNotes(files)) ?? { manifests: [], hooks: [] }).map(
        ({ source, id, path }) => ({
          severity: 'warning',
          path: source.slice(source.indexOf('/') + 1),
          text: `${id.kind}/${id.name}: ${factText({ code: 'value-encrypted', path })}; template, install and upgrade refuse it`,
          isOwn: true,
        }),
      )
    : [];

export const withoutNotes = (files: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...files].filter(([name]) => !name.endsWith('NOTES.txt')));

/** What a chart's files are; undefined where some cannot be read. */
export function classifiedIfValid(files: ReadonlyMap<string, string>): Classified | undefined {
  try {
    return classify(files, { legalAnnotations: true, knowHelm2Events: true });
  } catch {
    // `checkFiles` reports what cannot be read.
    return undefined;
  }
}

interface Prepared {
  readonly chart: Chart;
  readonly values: GoMap;
}

/** undefined where values and subcharts do not fit: as in Helm that is not lint's to report. */
export function prepare(chart: Chart, { values, notify }: LintSubject): Prepared | undefined {
  try {
    const processed = processDependencies(chart, values, notify);
    // Helm coalesces twice.
    const coalesced = coalesceValues(processed, coalesceValues(processed, values, notify), notify);
    return { chart: processed, values: coalesced };
  } catch {
    // The error is Helm's own, and lint does not report it.
    return undefined;
  }
}

export async function render({ chart, values }: Prepared, subject: LintSubject): Promise<ReadonlyMap<string, string>> {
  const { notify, downloadSchema: download } = subject;
  if (subject.skipSchemaValidation !== true) await validateValues(chart, values, { onNotice: notify, download });
  const handlebars = await loadHandlebars(chart);
  const { files } = renderChart(chart, { ...lintRendering(subject), values, handlebars });
  return files;
}

/** What lint renders a chart for. */
export const lintRendering = ({ namespace, kubeVersion = defaultCapabilities.kubeVersion, notify }: LintSubject) => ({
  release: { name: 'test-release', namespace, revision: 0, isInstall: false, isUpgrade: false },
  capabilities: { ...defaultCapabilities, kubeVersion },
  lintMode: true,
  onLint: (message: string, cause: LintCause) => notifyOf(message, cause, notify),
});

const lintTexts: Readonly<Record<LintCause, string>> = {
  nil: 'missing required value',
  empty: 'missing required values',
  fail: 'funcMap fail',
};

const notifyOf = (message: string, cause: LintCause, notify: Notify): void =>
  notify((cause === 'fail' ? info : warn)(lintTexts[cause], { message }));

/** The chart's own templates, without those of its subcharts; the first text that is no YAML ends it. */
function checkFiles(chart: Chart, files: ReadonlyMap<string, string>, subject: LintSubject, found: Findings): void {
  for (const { name } of chart.templates) {
    found.error(name, extensionProblem(name));
    const text = files.get(`${chart.metadata.name}/${name}`) ?? '';
    if (!isYamlName(name) || text.trim() === '') continue;
    found.warning(name, indentProblem(text));
    if (!checkObjects(name, text, subject, found)) return;
  }
}

function checkObjects(name: string, text: string, { kubeVersion }: LintSubject, found: Findings): boolean {
  const { objects, problem } = readObjects<ObjectHead>(encodeText(text), objectHeadType);
  for (const object of objects) {
    found.warning(name, nameProblem(object));
    found.warning(name, deprecationProblem(object, kubeVersion ?? defaultCapabilities.kubeVersion));
    found.error(name, selectorProblem(object, text));
    found.error(name, listProblem(object, text));
  }
  return found.error(name, problem && `unable to parse YAML: ${problem}`);
}

const handlebarsExtension = '.hbs';

/** What Handlebars renders is judged by the extension before its own. */
const isYamlName = (name: string): boolean =>
  ['.yaml', '.yml'].includes(extension(trimSuffix(name, handlebarsExtension)).toLowerCase());

function extensionProblem(name: string): string | undefined {
  const found = extension(name);
  if (['.yaml', '.yml', '.tpl', '.txt', handlebarsExtension].includes(found)) return undefined;
  return `file extension '${found}' not valid. Valid extensions are .yaml, .yml, .tpl, or .txt`;
}

// The longest line that Go's bufio.Scanner reads.
const longestLine = 65_536;

/** The first line that is not blank may not be indented: how YAML takes it depends on what happened to the text before. */
function indentProblem(text: string): string | undefined {
  for (const line of text.split('\n')) {
    if (byteLength(line) >= longestLine) return 'bufio.Scanner: token too long';
    if (line.trim() === '') continue;
    const shown = trimSuffix(line, '\r');
    return /^[ \t]/.test(line)
      ? `document starts with an illegal indent: ${quote(shown)}, which may cause parsing problems`
      : undefined;
  }
  return undefined;
}

const kindsWithSelector = ['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'];

function selectorProblem({ kind = '', metadata }: ObjectHead, manifest: string): string | undefined {
  if (!kindsWithSelector.includes(kind) || /matchLabels|matchExpressions/.test(manifest)) return undefined;
  const name = quote(metadata?.name ?? '');
  return `a ${kind} must contain matchLabels or matchExpressions, and ${name} does not`;
}

function listProblem({ kind }: ObjectHead, manifest: string): string | undefined {
  if (kind !== 'List') return undefined;
  try {
    const isIgnored = itemAnnotations(manifest).some((annotations) => Object.hasOwn(annotations, resourcePolicy));
    return isIgnored ? `annotation '${resourcePolicy}' within List objects are ignored` : undefined;
  } catch (cause) {
    return `unable to parse YAML: ${failureText(cause)}`;
  }
}

const resourcePolicy = 'helm.sh/resource-policy';

/** What the API server would say of an object whose API is deprecated in its version. Go: rules.validateNoDeprecations. */
function deprecationProblem({ apiVersion = '', kind = '' }: ObjectHead, kubeVersion: KubeVersion): string | undefined {
  const found = lifecycleOf({ apiVersion, kind });
  if (found?.deprecated === undefined || found.isUnknownToHelm || !isReached(found.deprecated, kubeVersion)) {
    return undefined;
  }
  const removed = found.removed === undefined ? '' : `, unavailable in v1.${found.removed}+`;
  const replacement =
    found.replacement === undefined ? '' : `; use ${found.replacement.apiVersion} ${found.replacement.kind}`;
  return `${apiVersion} ${kind} is deprecated in v1.${found.deprecated}+${removed}${replacement}`;
}

function isReached(deprecated: number, current: KubeVersion): boolean {
  const [major, minor] = [Number(current.major), Number(current.minor)];
  return (major === 0 && minor === 0) || major > 1 || (major === 1 && deprecated <= minor);
}
