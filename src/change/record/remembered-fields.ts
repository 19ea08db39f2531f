import { type FieldRule, readFieldRule, readFieldRules } from '../../manifest/field-rules.ts';
import type { Release } from '../../release/types.ts';
import { hasCode } from '../../support/errors.ts';
import { parseJson } from '../../support/exact-json.ts';
import { equalJson } from '../../support/json.ts';

/**
 * In the annotations of a recorded chart, which Helm carries on when it rolls back: the rules that leave fields to others,
 * or that drift ignores. What is taken is asked for each time.
 */
const fieldsAnnotation = 'tshelm.dev/fields';

/** The rules of a change: those that are given, or else those that its record remembers. Errors: `field-rule-invalid`. */
export const fieldRulesOf = (given: readonly string[] | undefined, release: Release): readonly FieldRule[] =>
  given === undefined ? recordedRules(release) : readFieldRules(given, { place: 'takeFields' });

/** What a record has that is no rule (any more) rules nothing: no command could get past it. */
const recordedRules = (release: Release): readonly FieldRule[] =>
  (textsIn(release) ?? []).flatMap((text) => {
    try {
      return [readFieldRule(text, { place: '' })];
    } catch (error) {
      if (hasCode(error, 'field-rule-invalid')) return [];
      throw error;
    }
  });

/** The rules that a release remembers: those of the newest revision that has some, as Helm drops them in its upgrades. */
export function rememberedRules(history: readonly Release[]): readonly FieldRule[] {
  const newest = history.findLast((release) => textsIn(release) !== undefined);
  return newest === undefined ? [] : recordedRules(newest);
}

/** The record of a revision with the rules that the next ones follow; none are written down where there never were any. */
export function rememberingFields(
  release: Release,
  given: readonly string[] | undefined,
  history: readonly Release[],
): Release {
  const known = history.some((one) => textsIn(one) !== undefined);
  const rules = given === undefined ? rememberedRules(history) : readFieldRules(given, { place: 'takeFields' });
  const kept = rules.filter(isKept).map(({ text }) => text);
  const { [fieldsAnnotation]: _old, ...others } = release.chart.metadata.annotations ?? {};
  const isWritten = kept.length > 0 || known;
  if (!isWritten && release.chart.metadata.annotations?.[fieldsAnnotation] === undefined) return release;
  const annotations = isWritten ? { ...others, [fieldsAnnotation]: JSON.stringify(kept) } : others;
  return { ...release, chart: { ...release.chart, metadata: { ...release.chart.metadata, annotations } } };
}

const leaves = ({ action }: FieldRule): boolean => action === 'leave' || action === 'ignore';

/** What leaves a field, and the exceptions from that behind it. */
const isKept = (rule: FieldRule, index: number, rules: readonly FieldRule[]): boolean =>
  leaves(rule) || rules.slice(0, index).some((earlier) => leaves(earlier) && isInside(rule, earlier));

const isInside = (rule: FieldRule, other: FieldRule): boolean =>
  other.path.every((step, index) => equalJson(step, rule.path[index]));

/** That other rules take the place of some that left fields to others; undefined where all of these still do. */
export function droppedRulesNote(
  given: readonly string[] | undefined,
  history: readonly Release[],
): string | undefined {
  if (given === undefined) return undefined;
  const gone = rememberedRules(history).filter(({ action, text }) => action === 'leave' && !given.includes(text));
  if (gone.length === 0) return undefined;
  return `fields are no longer left to others as the release remembered: ${gone.map(({ text }) => text).join(', ')}`;
}

function textsIn({ chart }: Release): readonly string[] | undefined {
  const text = chart.metadata.annotations?.[fieldsAnnotation];
  if (text === undefined) return undefined;
  const read: unknown = readJson(text);
  return Array.isArray(read) ? read.map(String) : undefined;
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // A chart may have an annotation of that name: what is no list of rules remembers nothing.
    return undefined;
  }
}
