import { writeJson } from '../go/json/json.ts';
import { byteLength } from '../go/text.ts';
import { type KnownDetails, TshelmError } from '../support/errors.ts';
import { encodeRelease, leastRecordBytes } from './codec.ts';
import type { Release } from './types.ts';

/** What the API server takes in the data of one Secret or ConfigMap. */
const maxRecordBytes = 1_048_576;
const listedParts = 5;
/** What a deploy still adds to its record: the times of its hooks. What it keeps of itself meanwhile goes at the end. */
const reservedBytesOfHook = 64;

/**
 * Refuses a release whose record the API server would not take, now or when the deploy is over: to be asked before
 * anything is changed. Errors: `release-too-large`.
 */
export async function checkStorable(release: Release): Promise<void> {
  const reserve = reservedBytesOfHook * release.hooks.length;
  const least = await leastRecordBytes(release, maxRecordBytes);
  if (least !== undefined) throw tooLarge(release, `more than ${kilobytes(least)} after compression`, least);
  checkRecordSize(release, await encodeRelease(release), maxRecordBytes - reserve);
}

/**
 * Refuses a record that the API server would refuse, before anything is sent. `encoded` is what encodeRelease gave.
 * Errors: `release-too-large`, with the parts that take the most room before compression.
 */
export function checkRecordSize(release: Release, encoded: string, limit = maxRecordBytes): void {
  if (encoded.length <= limit) return;
  const reserve = maxRecordBytes - limit;
  const bytes = encoded.length + reserve;
  const kept = reserve === 0 ? '' : ` (${kilobytes(reserve)} of that reserved for hook timestamps)`;
  throw tooLarge(release, `${kilobytes(bytes)} after compression${kept}`, bytes);
}

function tooLarge(release: Release, size: string, bytes: number): TshelmError {
  const parts = largestParts(release);
  const list = parts.map((part) => `  ${kilobytes(part.bytes).padStart(9)}  ${part.name}`).join('\n');
  return new TshelmError('release-too-large', {
    message:
      `the record of release "${release.name}" is ${size}, ` +
      `but a Secret holds at most ${kilobytes(maxRecordBytes)}. Its largest parts, before compression:\n${list}\n` +
      (parts[0]?.name === userValues
        ? 'Put what is large into a ConfigMap or Secret of its own, and name that in the values.'
        : 'Take files out of the chart with .helmignore, or split the chart.'),
    details: { bytes, limit: maxRecordBytes, parts, remedies: trimRemedies(release, bytes - maxRecordBytes) },
  });
}

/** Without the files of the chart a record is smaller by their size at most, in base64. */
function trimRemedies({ chart }: Release, excess: number): KnownDetails['remedies'] {
  const most = (chart.files.reduce((sum, { data }) => sum + data.length, 0) * 4) / 3;
  return most <= excess ? [] : [{ kind: 'set-option', option: 'trimRecord' }];
}

const userValues = 'the values that were set';

interface Part {
  readonly name: string;
  readonly bytes: number;
}

function largestParts(release: Release): readonly Part[] {
  const { chart } = release;
  const files = [...chart.templates, ...chart.files].map(({ name, data }) => ({ name, bytes: data.length }));
  const hooks = release.hooks.map((hook) => ({ name: `hook ${hook.name}`, bytes: byteLength(hook.manifest) }));
  const rest: Part[] = [
    { name: 'the rendered manifest', bytes: byteLength(release.manifest) },
    { name: userValues, bytes: byteLength(writeJson(release.config)) },
    { name: 'the notes', bytes: byteLength(release.info.notes ?? '') },
    { name: 'values.schema.json', bytes: chart.schema?.length ?? 0 },
  ];
  const parts = [...files, ...hooks, ...rest].filter(({ bytes }) => bytes > 0);
  return parts.sort((a, b) => b.bytes - a.bytes).slice(0, listedParts);
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
