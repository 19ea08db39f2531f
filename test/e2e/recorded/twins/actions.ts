import { gunzipSync } from 'node:zlib';
import { nameAndChart } from '../../../../src/actions/name-and-chart.ts';
import { missingDependencies } from '../../../../src/chart/checks.ts';
import { crdFiles } from '../../../../src/chart/paths.ts';
import { classify } from '../../../../src/manifest/classify.ts';
import { splitDocuments } from '../../../../src/manifest/split.ts';
import { sortByResourcePolicy } from '../../../../src/plan/keep.ts';
import { decodeRelease, releaseJson } from '../../../../src/release/codec.ts';
import { customLabels, refuseSystemLabels } from '../../../../src/release/labels.ts';
import { recordLabels } from '../../../../src/release/record.ts';
import { defaultCapabilities } from '../../../../src/render/capabilities.ts';
import { parseKubeVersion } from '../../../../src/render/kube-version.ts';
import { renderName } from '../../../../src/render/name-template.ts';
import { postRender } from '../../../../src/render/post-render.ts';
import { renderRelease } from '../../../../src/render/release.ts';
import { readPlainYaml } from '../../../../src/yaml/index.ts';
import { chartOf } from '../go-charts.ts';
import { goMap, NoCounterpart } from '../go-values.ts';
import { errorOf, fieldsOf, isTagged, itemsOf, plain, type Recorded, textOf } from '../records.ts';
import { inOrder, outcome, outcomeOf, type Twin, type Twins } from '../twin.ts';

/** The manifest, the hooks and the notes of a release. Values are those that the chart's own are in already. */
const renderResources: Twin = async ({ args, results }) => {
  const [, , chart, values, releaseName, outputDir, subNotes, , includeCrds, postRenderer, , , hideSecrets] = args;
  if (postRenderer !== null || outputDir !== '') throw new NoCounterpart('a post-renderer or a folder of the test');
  const scope = (isTagged(values) ? values.v : values) as Record<string, Recorded>;
  const release = plain(scope['Release'] ?? null) as Record<string, unknown> | null;
  const { Capabilities: capabilities } = (plain(args[0]) ?? {}) as {
    Capabilities?: { KubeVersion: { Version: string } };
  };
  const kubeVersion = parseKubeVersion(capabilities?.KubeVersion.Version ?? 'v1.20.0');
  const error = errorOf(results[3]);
  return {
    go: outcome(
      {
        manifest: textOf(results[1]),
        hooks: itemsOf(results[0]).map((hook) => [
          plain(fieldsOf(hook)?.['Path']),
          plain(fieldsOf(hook)?.['Manifest']),
        ]),
        notes: inOrder(textOf(results[2])),
      },
      error,
    ),
    ours: await outcomeOf(async () => {
      const loaded = chartOf(chart);
      const rendered = await renderRelease({ chart: loaded, crds: crdFiles(loaded) }, goMap(scope['Values']), {
        release: {
          name: String(release?.['Name'] ?? textOf(releaseName)),
          namespace: String(release?.['Namespace'] ?? ''),
          revision: Number(release?.['Revision'] ?? 1),
          isInstall: release?.['IsInstall'] !== false,
        },
        capabilities: { ...defaultCapabilities, kubeVersion },
        renderSubchartNotes: subNotes === true,
        includeCrds: includeCrds === true,
        hideSecrets: hideSecrets === true,
        skipSchemaValidation: true,
      });
      const hooks = rendered.hooks.map(({ path, manifest }) => [path, manifest]);
      return { manifest: rendered.manifest, hooks, notes: inOrder(rendered.notes) };
    }),
  };
};

/** What randNumeric gives is chance. */
const withoutDigits = (text: string): string => text.replace(/\d/g, '0');

const nameOf: Twin = async ({ args, results }) => {
  const options = fieldsOf(args[0]) ?? {};
  const withoutTime = (name: string): string => name.replace(/-\d{10}$/, '-TIME');
  return {
    go: outcome([withoutTime(textOf(results[0])), results[1]], errorOf(results[2])),
    ours: await outcomeOf(() => {
      const { name, chart } = nameAndChart(itemsOf(args[1]).map(textOf), {
        generateName: options['GenerateName'] === true,
        nameTemplate: textOf(options['NameTemplate']),
        defaultName: textOf(options['ReleaseName']),
      });
      return [withoutTime(name), chart];
    }),
  };
};

/** Which manifests an uninstall keeps. */
const keep: Twin = ({ args, results }) => {
  const contentOf = (one: Recorded): string => textOf(fieldsOf(one)?.['Content']);
  const files = new Map(itemsOf(args[0]).map((one, index) => [`${index}.yaml`, contentOf(one)]));
  const { kept } = sortByResourcePolicy(classify(files).manifests);
  return {
    go: itemsOf(results[0]).map(contentOf).sort(),
    ours: kept.map(({ text }) => text).sort(),
  };
};

const documents = (text: string): unknown[] =>
  splitDocuments(text)
    .map((one) => readPlainYaml(one))
    .filter((one) => one !== null);

/** An error as the caller of Helm's function tells it. */
const within = (context: string, error: string | undefined): string | undefined => error && `${context}: ${error}`;

/** What a post-renderer gets: tshelm keeps each document's layout, so the documents are compared and not the text. */
const merge: Twin = async ({ args, results }) => ({
  go: outcome(documents(textOf(results[0])), within('error merging manifests', errorOf(results[1]))),
  ours: await outcomeOf(async () => {
    let stream = '';
    const take = (text: string): Promise<string> => {
      stream = text;
      return Promise.resolve(text);
    };
    await postRender(new Map(Object.entries(plain(args[0]) as Record<string, string>)), take, 'combined');
    return documents(stream);
  }),
});

const split: Twin = async ({ args, results }) => {
  const strategy = args[1] === '' ? 'combined' : 'separate';
  const given = new Map([['any.yaml', 'kind: Any\n']]);
  const found = Object.entries((plain(results[0]) ?? {}) as Record<string, string>);
  if (!['', 'manifests'].includes(textOf(args[1]))) throw new NoCounterpart('another prefix');
  return {
    go: outcome(
      Object.fromEntries(found.map(([path, text]) => [path, documents(text)])),
      within('error while parsing post rendered output', errorOf(results[1])),
    ),
    ours: await outcomeOf(async () => {
      const files = await postRender(given, () => Promise.resolve(textOf(args[0])), strategy);
      return Object.fromEntries([...files].map(([path, text]) => [path, documents(text)]));
    }),
  };
};

/** What Helm stored, read and written again. */
const record =
  (textIn: (call: Parameters<Twin>[0]) => string): Twin =>
  async (call) => {
    const stored = textIn(call);
    if (stored === '') throw new NoCounterpart('nothing stored');
    const bytes = Buffer.from(stored, 'base64');
    const json = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
    const written = JSON.parse(json.toString()) as object;
    return {
      go: { value: written },
      ours: await outcomeOf(async () => {
        const { chart, ...release } = JSON.parse(releaseJson(await decodeRelease(stored))) as Record<string, unknown>;
        // Only a test's release has no chart.
        return 'chart' in written ? { ...release, chart } : release;
      }),
    };
  };

/** The labels of the object that holds a release, without the times of it. */
const labels: Twin = async ({ args, results }) => {
  const object = plain(results[0]) as { metadata: { labels: Record<string, string> }; data: { release: string } };
  if (object === null) throw new NoCounterpart('no object');
  const { createdAt: _created, modifiedAt: _modified, ...found } = object.metadata.labels;
  const stored = object.data.release;
  const isSecret = !stored.startsWith('H4sI');
  const release = await decodeRelease(isSecret ? Buffer.from(stored, 'base64').toString() : stored);
  return {
    go: found,
    ours: recordLabels({ ...release, labels: (plain(fieldsOf(args[1])?.['Labels']) ?? {}) as Record<string, string> }),
  };
};

export const actionTwins: Twins = {
  'action.Configuration.renderResources': renderResources,
  'action.TemplateName': async ({ args, results }) => ({
    go: outcome(withoutDigits(textOf(results[0])), errorOf(results[1])),
    ours: await outcomeOf(() => (args[0] === '' ? '' : withoutDigits(renderName(textOf(args[0]))))),
  }),
  'action.CheckDependencies': ({ args, results }) => ({
    go: errorOf(results[0])?.replace(/^.*: /, '') ?? '',
    ours: missingDependencies({
      ...chartOf(args[0]),
      metadata: {
        ...chartOf(args[0]).metadata,
        dependencies: itemsOf(args[1]).map((one) => ({ name: textOf(fieldsOf(one)?.['Name']) })),
      },
    }).join(', '),
  }),
  'action.Install.NameAndChart': nameOf,
  'action.filterManifestsToKeep': keep,
  'action.annotateAndMerge': merge,
  'action.splitAndDeannotate': split,
  'driver.encodeRelease': record(({ results }) => textOf(results[0])),
  'driver.decodeRelease': record(({ args, results }) => (errorOf(results[1]) === undefined ? textOf(args[0]) : '')),
  'driver.ContainsSystemLabels': async ({ args, results }) => ({
    go: results[0],
    ours:
      (await outcomeOf(() => refuseSystemLabels((plain(args[0]) ?? {}) as Record<string, string>))).error !== undefined,
  }),
  'driver.filterSystemLabels': ({ args, results }) => ({
    go: plain(results[0]) ?? {},
    ours: customLabels((plain(args[0]) ?? {}) as Record<string, string>),
  }),
  'driver.newSecretsObject': labels,
  'driver.newConfigMapsObject': labels,
};
