import { promisify } from 'node:util';
import { constants, gunzip, gunzipSync } from 'node:zlib';
import { writeJson } from '../go/json/json.ts';
import { jsonFields, jsonList, jsonObject, jsonText, omitEmpty } from '../go/json/struct-text.ts';
import type {
  Hook,
  HookDeletePolicy,
  HookEvent,
  HookExecution,
  HookOutputLogPolicy,
  KubernetesObject,
} from '../manifest/types.ts';
import { TshelmError } from '../support/errors.ts';
import { parseJson, writeJson as writeExactJson } from '../support/exact-json.ts';
import { asObject, type Fields } from '../support/json.ts';
import { awaitOutsideWork } from '../support/outside-work.ts';
import { briefJson } from './brief-json.ts';
import { chartJson, readChart } from './chart-json.ts';
import { deflateBytes, deflateStretch, gzipOf, type Stretch, smallBytes } from './gzip-stretches.ts';
import {
  integerField,
  listField,
  objectField,
  optionalText,
  textField,
  textListField,
  valuesField,
} from './json-fields.ts';
import { recordedTime } from './time.ts';
import {
  type BriefOption,
  isUnderWay,
  type MoveRecord,
  type OperationInputs,
  type OperationRecord,
  type RecordedChart,
  type Release,
  type ReleaseId,
  type ReleaseInfo,
  type ReleaseStatus,
  releaseStatuses,
} from './types.ts';

const gunzipAsync = promisify(gunzip);
const largestRecordJson = 512 * 1024 * 1024;

/**
 * A release as the text that Helm stores (driver.encodeRelease): base64 of the gzipped JSON.
 * A Secret's `data` needs base64 once more; a ConfigMap's `data` does not.
 */
export function encodeRelease(release: Release): Promise<string> {
  const known = encoded.get(release);
  if (known !== undefined) return known;
  const encoding = encode(release);
  encoded.set(release, encoding);
  return encoding;
}

/** Remembered, because the size of a record is checked before anything is done, and the record is written later. */
const encoded = new WeakMap<Release, Promise<string>>();

/** Level 3 takes a third of the time of the best and makes the record of a large chart a third larger. */
const quickLevel = 3;
const bestLevel = constants.Z_BEST_COMPRESSION;
/** Bytes; from here on a record could come near what a Secret holds. */
const largestQuick = 512 * 1024;

/**
 * As small as it gets (as Helm does), but quick while an operation runs: then each hook and batch writes it, and what
 * stays the same is packed once, and as small as it gets meanwhile.
 */
async function encode(release: Release): Promise<string> {
  const steady = steadyOf(release);
  if (isUnderWay(release.info.status)) {
    const packed = await pack(release, await steady.soon(), quickLevel);
    if (packed.length <= largestQuick) return packed.toString('base64');
  }
  return (await pack(release, await steady.best(), bestLevel)).toString('base64');
}

/** Bytes of the JSON: what is smaller is packed as a whole to learn its size. */
const probedBytes = 16 * 1024 * 1024;
/** No level packs that many times as well as the quick one. */
const mostGain = 8;

/**
 * The least that a record takes of which a part is enough to say that it is larger than `limit`, however it is packed;
 * undefined where that takes the whole.
 */
export async function leastRecordBytes(release: Release, limit: number): Promise<number | undefined> {
  const { bytes } = steadyOf(release);
  if (bytes.length <= probedBytes) return undefined;
  const { deflated } = await deflateBytes(bytes.subarray(0, probedBytes), { level: quickLevel });
  const least = Math.floor((deflated.length * 4) / 3 / mostGain);
  return least > limit ? least : undefined;
}

async function pack(release: Release, steady: Stretch, level: number): Promise<Buffer> {
  const before = `{${beginning(release).join(',')},`;
  const after = `${['', ...end(release)].join(',')}}`;
  const [first, last] = await Promise.all([deflateStretch(before, level), deflateStretch(after, level)]);
  return gzipOf([first, steady, last]);
}

/** What is the same in every record of a revision: nearly all of it. */
class RecordConstants {
  readonly release: Release;
  #plain: Buffer | undefined;
  #best: Promise<Stretch> | undefined;
  #soon: Promise<Stretch> | undefined;

  constructor(release: Release) {
    this.release = release;
  }

  best(): Promise<Stretch> {
    this.#best ??= this.#deflateBest();
    return this.#best;
  }

  /** Packed quickly the first time; the best follows in the background, and takes its place once it is there. */
  soon(): Promise<Stretch> {
    if (this.#soon === undefined) {
      this.#soon = deflateBytes(this.bytes, { level: quickLevel });
      const best = this.#soon.then(() => this.best());
      // What it may fail with, whoever asks for the best is told.
      best.then(() => (this.#soon = best)).catch(() => {});
    }
    return this.#soon;
  }

  /** Text that hardly repeats itself, such as digits, is smaller with short matches left out: tried where size counts. */
  async #deflateBest(): Promise<Stretch> {
    const usual = await deflateBytes(this.bytes, { level: bestLevel });
    if (usual.deflated.length <= largestQuick) return usual;
    const filtered = await deflateBytes(this.bytes, { level: bestLevel, strategy: constants.Z_FILTERED });
    return filtered.deflated.length < usual.deflated.length ? filtered : usual;
  }

  get bytes(): Buffer {
    this.#plain ??= Buffer.from(middle(this.release).join(','));
    return this.#plain;
  }
}

const steadyByChart = new WeakMap<RecordedChart, RecordConstants>();

function steadyOf(release: Release): RecordConstants {
  const { chart, config, manifest } = release;
  const known = steadyByChart.get(chart);
  if (known?.release.config === config && known.release.manifest === manifest) return known;
  const steady = new RecordConstants(release);
  steadyByChart.set(chart, steady);
  return steady;
}

export interface DecodeOptions extends BriefOption {
  /** Integers of values that no float64 holds are `int64`. Default false: they are rounded, as Helm reads them. */
  readonly keepsIntegers?: boolean | undefined;
}

/** Reads what Helm 3, Helm 4 or tshelm stored; records from before compression too. Errors: `corrupt-release`. */
export async function decodeRelease(
  stored: string,
  { isBrief = false, keepsIntegers = false }: DecodeOptions = {},
): Promise<Release> {
  try {
    const bytes = Buffer.from(stored, 'base64');
    const options = { maxOutputLength: largestRecordJson };
    // Of thousands of records one after another, each would wait for a thread, with buffers of its own.
    const isQuick = isBrief || bytes.length <= smallBytes;
    const unpacked = () => (isQuick ? gunzipSync(bytes, options) : awaitOutsideWork(gunzipAsync(bytes, options)));
    const json = isGzip(bytes) ? await unpacked() : bytes;
    const found = isBrief ? briefJson(json) : undefined;
    const parse = keepsIntegers ? parseJson : JSON.parse;
    return readRelease(asObject(found ?? parse(json.toString('utf8'))));
  } catch (cause) {
    throw new TshelmError('corrupt-release', {
      message: 'the stored release cannot be read; it is damaged or was not written by Helm or tshelm',
      cause,
    });
  }
}

/** A release as the JSON of release/v1.Release has it. Throws where that is something else. */
export const releaseOfJson = (value: unknown): Release => readRelease(asObject(value));

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;

/** The JSON of release/v1.Release, byte for byte as Go writes it, and what is tshelm's own behind it when they are there. */
export const releaseJson = (release: Release): string =>
  `{${[...beginning(release), ...middle(release), ...end(release)].join(',')}}`;

const beginning = (release: Release): readonly string[] =>
  jsonFields([
    ['name', omitEmpty(release.name)],
    ['info', infoJson(release.info)],
  ]);

const middle = (release: Release): readonly string[] =>
  jsonFields([
    ['chart', chartJson(release.chart)],
    ['config', release.config.size > 0 ? writeJson(release.config) : undefined],
    ['manifest', omitEmpty(release.manifest)],
  ]);

const end = (release: Release): readonly string[] =>
  jsonFields([
    ['hooks', release.hooks.length > 0 ? jsonList(release.hooks.map(hookJson)) : undefined],
    ['version', omitEmpty(release.version)],
    ['namespace', omitEmpty(release.namespace)],
    ['apply_method', omitEmpty(release.applyMethod)],
    ['sequencing', release.sequencing === undefined ? undefined : writeExactJson(release.sequencing)],
    ['tshelm', release.operation === undefined ? undefined : writeExactJson(release.operation)],
    ['renamed_from', release.renamedFrom === undefined ? undefined : writeExactJson(release.renamedFrom)],
  ]);

const infoJson = (info: ReleaseInfo): string =>
  jsonObject([
    ['first_deployed', omitEmpty(info.firstDeployed)],
    ['last_deployed', omitEmpty(info.lastDeployed)],
    ['deleted', omitEmpty(info.deleted)],
    ['description', omitEmpty(info.description)],
    ['status', omitEmpty(info.status)],
    ['rollback_revision', omitEmpty(info.rollbackRevision)],
    ['notes', omitEmpty(info.notes)],
  ]);

const hookJson = (hook: Hook): string =>
  jsonObject([
    ['name', omitEmpty(hook.name)],
    ['kind', omitEmpty(hook.kind)],
    ['path', omitEmpty(hook.path)],
    ['manifest', omitEmpty(hook.manifest)],
    ['events', omitEmpty(hook.events)],
    ['last_run', executionJson(hook.lastRun)],
    ['weight', omitEmpty(hook.weight)],
    ['delete_policies', omitEmpty(hook.deletePolicies)],
    ['output_log_policies', omitEmpty(hook.outputLogPolicies)],
  ]);

const executionJson = (run: HookExecution): string =>
  jsonObject([
    ['started_at', omitEmpty(run.startedAt)],
    ['completed_at', omitEmpty(run.completedAt)],
    ['phase', jsonText(run.phase)],
  ]);

function readRelease(json: Fields): Release {
  const applyMethod = json['apply_method'];
  return {
    name: textField(json, 'name'),
    namespace: textField(json, 'namespace'),
    version: integerField(json, 'version'),
    info: readInfo(objectField(json, 'info')),
    chart: readChart(objectField(json, 'chart')),
    config: valuesField(json, 'config'),
    manifest: textField(json, 'manifest'),
    hooks: listField(json, 'hooks').map(readHook),
    applyMethod: applyMethod === 'ssa' || applyMethod === 'csa' ? applyMethod : undefined,
    labels: {},
    sequencing: json['sequencing'],
    operation: readOperation(json['tshelm']),
    renamedFrom: json['renamed_from'] === undefined ? undefined : readReleaseId(objectField(json, 'renamed_from')),
  };
}

/** Undefined for anything else than what tshelm wrote. */
function readOperation(stored: unknown): OperationRecord | undefined {
  const json = asObject(stored);
  if (typeof json['holder'] !== 'string') return undefined;
  const { action } = json;
  return {
    holder: json['holder'],
    job: optionalText(json, 'job'),
    process: optionalText(json, 'process'),
    isLeased: json['isLeased'] === true,
    timeoutSeconds: integerField(json, 'timeoutSeconds'),
    action: action === 'install' || action === 'upgrade' ? action : undefined,
    inputs: json['inputs'] === undefined ? undefined : readInputs(objectField(json, 'inputs')),
    done: json['done'] === undefined ? undefined : textListField(json, 'done'),
    refusedHooks: json['refusedHooks'] === undefined ? undefined : textListField(json, 'refusedHooks'),
    replaced: json['replaced'] === undefined ? undefined : listField(json, 'replaced').filter(isKubernetesObject),
    move: json['move'] === undefined ? undefined : readMove(objectField(json, 'move')),
  };
}

function isKubernetesObject(stored: unknown): stored is KubernetesObject {
  const { apiVersion, kind, metadata } = asObject(stored);
  return [apiVersion, kind, asObject(metadata)['name']].every((text) => typeof text === 'string');
}

const readMove = (json: Fields): MoveRecord => ({
  kind: textField(json, 'kind') as MoveRecord['kind'],
  from: json['from'] === undefined ? undefined : readReleaseId(objectField(json, 'from')),
  to: readReleaseId(objectField(json, 'to')),
  objects: textListField(json, 'objects'),
});

const readReleaseId = (json: Fields): ReleaseId => ({
  release: textField(json, 'release'),
  namespace: textField(json, 'namespace'),
});

const readInputs = (json: Fields): OperationInputs => ({
  chart: textField(json, 'chart'),
  values: textField(json, 'values'),
});

function readInfo(json: Fields): ReleaseInfo {
  return {
    firstDeployed: recordedTime(json['first_deployed']),
    lastDeployed: recordedTime(json['last_deployed']),
    deleted: recordedTime(json['deleted']),
    description: optionalText(json, 'description'),
    status: readStatus(textField(json, 'status')),
    rollbackRevision: integerField(json, 'rollback_revision') || undefined,
    notes: optionalText(json, 'notes'),
  };
}

const readStatus = (status: string): ReleaseStatus =>
  (releaseStatuses as readonly string[]).includes(status) ? (status as ReleaseStatus) : 'unknown';

function readHook(entry: unknown): Hook {
  const json = asObject(entry);
  const run = objectField(json, 'last_run');
  return {
    name: textField(json, 'name'),
    kind: textField(json, 'kind'),
    path: textField(json, 'path'),
    manifest: textField(json, 'manifest'),
    events: textListField(json, 'events') as readonly HookEvent[],
    weight: integerField(json, 'weight'),
    deletePolicies: textListField(json, 'delete_policies') as readonly HookDeletePolicy[],
    outputLogPolicies: textListField(json, 'output_log_policies') as readonly HookOutputLogPolicy[],
    lastRun: {
      startedAt: recordedTime(run['started_at']),
      completedAt: recordedTime(run['completed_at']),
      phase: textField(run, 'phase') as HookExecution['phase'],
    },
  };
}
