import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { unpack } from '../../../../src/chart/archive.ts';
import type { ChartMetadata } from '../../../../src/chart/types.ts';
import { parseUrl } from '../../../../src/go/net/url.ts';
import { readPlugin } from '../../../../src/plugin/metadata.ts';
import { programCall } from '../../../../src/plugin/run.ts';
import { helm2Digest, lockDigest } from '../../../../src/source/dependency/manager.ts';
import { localPath } from '../../../../src/source/dependency/origin.ts';
import { expandChart } from '../../../../src/source/expand-chart.ts';
import { isOci, parseOciReference } from '../../../../src/source/oci/reference.ts';
import { matchingTag } from '../../../../src/source/oci/tags.ts';
import { chartYaml } from '../../../../src/source/package/chart-yaml.ts';
import { createChart } from '../../../../src/source/package/create.ts';
import { saveChart } from '../../../../src/source/package/save.ts';
import { readKeyring } from '../../../../src/source/provenance/keyring.ts';
import { digestOf } from '../../../../src/source/provenance/message.ts';
import { checkSigned, verifyArchive } from '../../../../src/source/provenance/verify.ts';
import { chooseVersion } from '../../../../src/source/repository/choose-version.ts';
import { findChart } from '../../../../src/source/repository/find-chart.ts';
import { readIndexFile } from '../../../../src/source/repository/index-file.ts';
import { readRepositories } from '../../../../src/source/repository/repositories.ts';
import { isSameUrl, joinUrl, resolveReferenceUrl } from '../../../../src/source/repository/url.ts';
import { chartOf, dependencyOf, metadataOf } from '../go-charts.ts';
import { NoCounterpart } from '../go-values.ts';
import {
  bytesOf,
  errorOf,
  fieldsOf,
  isTagged,
  itemsOf,
  pathOf,
  plain,
  type Recorded,
  type RecordedCall,
  textOf,
} from '../records.ts';
import { type Outcome, outcome, outcomeOf, type Twin, type Twins } from '../twin.ts';

/** The call that gave an argument. */
function originOf(value: Recorded | undefined): RecordedCall {
  if (!isTagged(value) || value.$ !== 'origin') throw new NoCounterpart('made by the test itself');
  return value.v as unknown as RecordedCall;
}

/** Go's error about a file, with the name of the file's copy. */
const errorAt = (error: Recorded | undefined, ...paths: (Recorded | undefined)[]): string | undefined =>
  paths.reduce((text: string | undefined, path) => text?.replaceAll(textOf(path), pathOf(path)), errorOf(error));

/** The answer of a function of texts. */
const ofTexts =
  (work: (...texts: string[]) => unknown): Twin =>
  async ({ args, results }) => ({
    go: outcome(plain(results[0]), errorOf(results[1])),
    ours: await outcomeOf(() => work(...args.map(textOf))),
  });

const index: Twin = async ({ args, results }) => {
  const entries = fieldsOf(results[0])?.['Entries'];
  const found = (isTagged(entries) ? entries.v : {}) as Record<string, Recorded>;
  const versionsOf = (list: Recorded): unknown => itemsOf(list).map((one) => versionOf(one));
  return {
    go: outcome(
      Object.fromEntries(Object.entries(found).map(([name, list]) => [name, versionsOf(list)])),
      errorAt(results[1], args[0]),
    ),
    ours: await outcomeOf(() => {
      const read = readIndexFile(pathOf(args[0]));
      const listed = (name: string): unknown =>
        read.versions(name)?.map(({ version, entry }) => ({ version, urls: entry.urls, digest: entry.digest }));
      return Object.fromEntries(read.names.map((name) => [name, listed(name)]));
    }),
  };
};

function versionOf(value: Recorded): unknown {
  const { Metadata: metadata, URLs: urls, Digest: digest } = fieldsOf(value) ?? {};
  return { version: metadataOf(metadata).version, urls: plain(urls) ?? [], digest: plain(digest) };
}

const choose: Twin = async ({ args, results }) => {
  const [path] = originOf(args[0]).args;
  const chosen = fieldsOf(results[0])?.['Metadata'];
  return {
    go: outcome(metadataOf(chosen).version, errorOf(results[1])),
    ours: await outcomeOf(
      () => chooseVersion(readIndexFile(pathOf(path)), textOf(args[1]), { version: textOf(args[2]) }).version,
    ),
  };
};

const repositories: Twin = async ({ args, results }) => ({
  go: outcome(
    itemsOf(fieldsOf(results[0])?.['Repositories']).map((one) => [
      plain(fieldsOf(one)?.['Name']),
      plain(fieldsOf(one)?.['URL']),
    ]),
    errorAt(results[1], args[0]),
  ),
  ours: await outcomeOf(() => readRepositories(pathOf(args[0]))?.repositories.map(({ name, url }) => [name, url])),
});

const reference: Twin = async ({ args, results }) => {
  const fields = fieldsOf(results[0]) ?? {};
  return {
    go: outcome(
      {
        registry: plain(fields['Registry']),
        repository: plain(fields['Repository']),
        tag: plain(fields['Tag']),
        digest: plain(fields['Digest']),
      },
      errorOf(results[1]),
    ),
    ours: await outcomeOf(() => parseOciReference(textOf(args[0]))),
  };
};

/** Our errors go on with the way out. */
const withoutWayOut = ({ error, ...rest }: Outcome): Outcome => ({
  ...rest,
  ...(error !== undefined && { error: error.split('; ')[0] }),
});

/** Where a chart of a repository is; of a reference that is a URL, tshelm asks nobody. */
const resolve: Twin = async ({ args, results }) => {
  const options = fieldsOf(args[0]) ?? {};
  const text = textOf(args[1]);
  if (/^[a-z]+:|^\/|^$/.test(text)) throw new NoCounterpart('a URL or no reference');
  const paths = {
    repositoryConfig: pathOf(options['RepositoryConfig']),
    repositoryCache: pathOf(options['RepositoryCache']),
  };
  const url = fieldsOf(results[1]);
  return {
    go: outcome(
      url && `${textOf(url['Host'])} ${textOf(url['Path'])}`,
      errorAt(results[2], options['RepositoryCache'], options['RepositoryConfig']),
    ),
    ours: await outcomeOf(() => {
      const { host, path } = parseUrl(findChart(text, textOf(args[2]), { paths }).url);
      return `${host} ${path}`;
    }).then(withoutWayOut),
  };
};

const verified = (result: Recorded | undefined): unknown => plain(fieldsOf(result)?.['FileHash']);

const verify: Twin = async ({ args, results }) => ({
  go: outcome(verified(results[0]), errorAt(results[1], ...args)),
  ours: await outcomeOf(async () => {
    const [archive = '', provenance = '', keyring = ''] = args.map(pathOf);
    return (await verifyArchive({ archive, provenance, name: basename(archive), keyring })).fileHash;
  }),
});

const signature: Twin = async ({ args, results }) => {
  const [keyring] = originOf(args[0]).args;
  return {
    go: outcome(verified(results[0]), errorOf(results[1])),
    ours: await outcomeOf(async () => {
      const files = { archive: bytesOf(args[1]), provenance: bytesOf(args[2]), name: textOf(args[3]) };
      return (await checkSigned(files, await readKeyring(pathOf(keyring)))).fileHash;
    }),
  };
};

const plugin: Twin = async ({ args, results }) => {
  const fields = fieldsOf(results[0]) ?? {};
  return {
    go: outcome(
      {
        name: plain(fields['Name']),
        version: plain(fields['Version']),
        type: plain(fields['Type']),
        sourceUrl: plain(fields['SourceURL']),
      },
      errorOf(results[1]),
    ),
    ours: await outcomeOf(() => {
      const { name, version, type, sourceUrl } = readPlugin(Buffer.from(bytesOf(args[0])).toString(), '');
      return { name, version, type, sourceUrl };
    }),
  };
};

const pluginCommand: Twin = async ({ args, results }) => ({
  go: outcome({ program: plain(results[0]), args: plain(results[1]) ?? [] }, errorOf(results[2])),
  ours: await outcomeOf(() =>
    programCall(
      itemsOf(args[0]).map((one) => {
        const fields = fieldsOf(one) ?? {};
        return {
          os: textOf(fields['OperatingSystem']),
          arch: textOf(fields['Architecture']),
          command: textOf(fields['Command']),
          args: itemsOf(fields['Args']).map(textOf),
        };
      }),
      {
        expandsArgs: args[1] === true,
        extra: itemsOf(args[2]).map(textOf),
        variables: plain(args[3]) as Record<string, string>,
      },
    ),
  ),
});

/** Files of a folder or an archive by their paths. */
function filesBelow(folder: string, below = ''): Record<string, string> {
  const entries = readdirSync(join(folder, below), { withFileTypes: true });
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(below, entry.name);
      return entry.isDirectory() ? filesBelow(folder, path) : { [path]: readFileSync(join(folder, path), 'latin1') };
    }),
  ) as Record<string, string>;
}

async function withFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const create: Twin = async ({ args, results }) => {
  const made = results[0];
  const isMade = isTagged(made) && made.$ === 'path';
  return withFolder(async (folder) => ({
    go: outcome(isMade && filesBelow(pathOf(made)), errorOf(results[1])),
    ours: await outcomeOf(() => {
      const target = isTagged(args[1]) ? folder : textOf(args[1]);
      createChart(textOf(args[0]), target, () => {});
      return filesBelow(join(target, textOf(args[0])));
    }),
  }));
};

const expand: Twin = async ({ args, results, after }) =>
  withFolder(async (folder) => {
    const [before, afterwards] = [pathOf(args[0]), pathOf(after?.[0])];
    const target = isTagged(args[0]) ? join(folder, basename(before)) : textOf(args[0]);
    mkdirSync(target, { recursive: true });
    const known = isTagged(args[0]) && statSync(before).isDirectory() ? Object.keys(filesBelow(before)) : [];
    const withoutKnown = (files: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(files).filter(([path]) => !known.includes(path)));
    return {
      go: outcome(
        errorOf(results[0]) === undefined && withoutKnown(filesBelow(afterwards)),
        errorAt(results[0], args[1]),
      ),
      ours: await outcomeOf(async () => {
        expandChart(target, pathOf(args[1]));
        return withoutKnown(filesBelow(target));
      }),
    };
  });

/** The same of an archive that is read. */
const expandBytes: Twin = async (call) =>
  withFolder(async (folder) => {
    const path = join(folder, 'archive.tgz');
    writeFileSync(path, bytesOf(call.args[1]));
    return expand({ ...call, args: [call.args[0] ?? null, path] });
  });

const entriesOf = (archive: Uint8Array): Record<string, string> =>
  Object.fromEntries(unpack(archive).map((entry) => [entry.name, Buffer.from(entry.data).toString('latin1')]));

const save: Twin = async ({ args, results }) =>
  withFolder(async (folder) => {
    const made = results[0];
    const isMade = isTagged(made) && made.$ === 'path';
    return {
      go: outcome(
        isMade && { name: basename(pathOf(made)), files: entriesOf(readFileSync(pathOf(made))) },
        errorOf(results[1]),
      ),
      ours: await outcomeOf(async () => {
        const path = await saveChart(chartOf(args[0]), folder, new Date());
        return { name: basename(path), files: entriesOf(readFileSync(path)) };
      }),
    };
  });

const saveMetadata: Twin = async ({ args, results, after }) => ({
  go: outcome(readFileSync(pathOf(after?.[0]), 'utf8'), errorOf(results[0])),
  ours: await outcomeOf(() =>
    chartYaml({ ...chartOf({ $: 'struct', t: '', v: {} }), metadata: metadataOf(args[1]) as ChartMetadata }),
  ),
});

export const sourceTwins: Twins = {
  'v1.LoadIndexFile': index,
  'v1.IndexFile.Get': choose,
  'v1.LoadFile': repositories,
  'v1.ResolveReferenceURL': ofTexts(resolveReferenceUrl),
  'urlutil.URLJoin': async ({ args, results }) => ({
    go: outcome(results[0], errorOf(results[1])),
    ours: await outcomeOf(() => joinUrl(textOf(args[0]), ...itemsOf(args[1]).map(textOf))),
  }),
  'urlutil.Equal': ofTexts(isSameUrl),
  'urlutil.ExtractHostname': ofTexts((url) => parseUrl(url).host.replace(/:\d*$/, '')),
  'registry.GetTagMatchingVersionOrConstraint': async ({ args, results }) => ({
    go: outcome(results[0], errorOf(results[1])),
    ours: await outcomeOf(() => matchingTag(itemsOf(args[0]).map(textOf), textOf(args[1]))),
  }),
  'registry.newReference': reference,
  'registry.IsOCI': ofTexts(isOci),
  'resolver.HashReq': async ({ args, results }) => ({
    go: outcome(results[0], errorOf(results[1])),
    ours: await outcomeOf(() => lockDigest(itemsOf(args[0]).map(dependencyOf), itemsOf(args[1]).map(dependencyOf))),
  }),
  'resolver.HashV2Req': async ({ args, results }) => ({
    go: outcome(results[0], errorOf(results[1])),
    ours: await outcomeOf(() => helm2Digest(itemsOf(args[0]).map(dependencyOf))),
  }),
  'resolver.GetLocalPath': async ({ args, results }) => ({
    go: outcome(results[0] === '' ? '' : pathOf(results[0]), errorAt(results[1], ...args)),
    ours: await outcomeOf(() => localPath(textOf(args[0]), pathOf(args[1]))),
  }),
  'downloader.ChartDownloader.ResolveChartVersion': resolve,
  'downloader.VerifyChart': verify,
  'provenance.Signatory.Verify': signature,
  'provenance.Digest': ({ args, results }) => ({
    go: results[0],
    ours: digestOf(bytesOf(args[0])).replace('sha256:', ''),
  }),
  'plugin.loadMetadata': plugin,
  'plugin.PrepareCommands': pluginCommand,
  'util.Create': create,
  'util.ExpandFile': expand,
  'util.Expand': expandBytes,
  'util.Save': save,
  'util.SaveChartfile': saveMetadata,
};
