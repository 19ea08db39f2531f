import { diffHooks } from '../actions/comparison/diff-hooks.ts';
import type { ReleaseReview } from '../actions/comparison/review.ts';
import type { DecidedChange } from '../change/context.ts';
import type { Chart } from '../chart/types.ts';
import { writeJson } from '../go/json/json.ts';
import { fieldDifferences } from '../manifest/field-differences.ts';
import { parseManifest } from '../manifest/parse.ts';
import { formatId } from '../manifest/resource-id.ts';
import type { Hook } from '../manifest/types.ts';
import { lastRevision } from '../release/history.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import { equalJson } from '../support/json.ts';
import { subjectOf } from './document-subject.ts';
import { hiddenInDocument } from './hidden-parts.ts';
import { isProved } from './proof.ts';
import { chartDigests } from './save.ts';
import { type Mask, maskOf } from './secrets.ts';
import { completeReview, unseenHooks } from './shown-review.ts';
import { writePlan } from './steps.ts';
import type { SavedRelease, SavedRevision, SavedText } from './types.ts';

/** One thing that is not as it was when the plan was made. */
export interface OutdatedPart {
  readonly kind: 'state' | 'revision' | 'chart' | 'values' | 'rendering' | 'steps' | 'object';
  /** `Deployment/web in shop`, `templates/web.yaml`. */
  readonly subject: string;
  readonly field?: string | undefined;
  /** Who wrote the field: `kubectl-edit, 2026-11-22T09:00:00Z`. */
  readonly by?: string | undefined;
  /** The whole of it for people. */
  readonly text: string;
}

/**
 * Errors: `plan-outdated`, naming everything; nothing where there is nothing. `isBegun`: what the plan has before the
 * object has been sent.
 */
export function refuseOutdated(
  { name }: Pick<SavedRelease, 'name'>,
  changes: readonly OutdatedPart[],
  { isBegun = false } = {},
): void {
  if (changes.length === 0) return;
  const lines = changes.map(({ text }) => `\n  ${text}`).join('');
  const isAllowable = changes.every(({ kind }) => kind === 'object');
  const way = isAllowable ? 'plan again, or allow what has changed' : 'plan again';
  const what = isBegun ? 'this object was not sent' : 'nothing was sent';
  throw new TshelmError('plan-outdated', {
    message: `the plan of release "${name}" is out of date, so ${what} (${way}):${lines}`,
    details: { release: name, changes },
  });
}

/** That the review of a file hides what its plan sends: whoever read it has not seen that. Errors: `plan-unusable`. */
export function refuseFalseReview(saved: SavedRelease): void {
  const whole = JSON.parse(JSON.stringify(completeReview(saved))) as ReleaseReview;
  if (equalJson(whole, saved.review)) return;
  const shown = new Set(saved.review.objects.map((object) => JSON.stringify(object)));
  const hiding = whole.objects.filter((object) => !shown.has(JSON.stringify(object))).map(({ id }) => formatId(id));
  const of = hiding.length === 0 ? '' : ` of ${hiding.join(', ')}`;
  throw new TshelmError('plan-unusable', {
    message: `the plan of release "${saved.name}" cannot be used: it sends changes${of} that its review does not show; do not trust its source, and plan again`,
    details: { path: '' },
  });
}

/** A revision that came after the plan, or went. */
export function historyChanges(
  { name, history }: Pick<SavedRelease, 'name' | 'history'>,
  now: readonly Release[],
): readonly OutdatedPart[] {
  const was = history.at(-1);
  const is = now.length === 0 ? undefined : lastRevision(name, now);
  if (was?.revision === is?.version && was?.status === is?.info.status) return [];
  const text = `the release was ${stateText(was)} when the plan was made, and is ${stateText(is && { revision: is.version, status: is.info.status })} now`;
  const facts = is === undefined ? '' : ` (since ${is.info.lastDeployed}: ${is.info.description ?? ''})`;
  return [{ kind: 'revision', subject: name, text: text + facts }];
}

const stateText = (revision: SavedRevision | undefined): string =>
  revision === undefined ? 'not installed' : `at revision ${revision.revision} (${revision.status})`;

/** Files of the chart that are not as they were. */
export function chartChanges({ inputs }: Pick<SavedRelease, 'inputs'>, chart: Chart): readonly OutdatedPart[] {
  if (inputs === undefined) return [];
  const [was, is] = [inputs.files, chartDigests(chart)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
  return names
    .filter((name) => was[name] !== is[name])
    .map((name) => {
      const how = was[name] === undefined ? 'is new' : is[name] === undefined ? 'is gone' : 'has changed';
      return { kind: 'chart', subject: name, text: `the chart's file ${name} ${how}` };
    });
}

/** What would be sent or recorded otherwise than it was planned. */
export async function decisionChanges(saved: SavedRelease, decided: DecidedChange): Promise<readonly OutdatedPart[]> {
  const mask = maskOf(decided);
  const { steps, texts } = writePlan(decided.plan);
  const changes: OutdatedPart[] = [];
  if (!(await isProved(writeJson(decided.release.config), saved.values))) changes.push(valuesChange(saved));
  const length = Math.max(texts.length, saved.texts.length);
  for (let place = 0; place < length; place++) {
    const change = await textChange(saved.texts[place], texts[place], mask);
    if (change !== undefined) changes.push(change);
  }
  if (changes.length === 0 && JSON.stringify(steps) !== JSON.stringify(saved.plan)) {
    const text = `the same objects would be sent in different steps: ${stepsText(steps.steps)}; the plan has ${stepsText(saved.plan.steps)}`;
    changes.push({ kind: 'steps', subject: saved.name, text });
  }
  return changes;
}

const stepsText = (steps: readonly { readonly kind: string }[]): string => steps.map(({ kind }) => kind).join(', ');

function valuesChange({ name, inputs }: SavedRelease): OutdatedPart {
  const leftOut = (inputs?.leftOut ?? []).map(({ option, key }) => key ?? option);
  const way = leftOut.length === 0 ? '' : `; the file keeps no secrets, so pass these again: ${leftOut.join(', ')}`;
  return { kind: 'values', subject: name, text: `the values differ from the values in the plan${way}` };
}

async function textChange(
  was: SavedText | undefined,
  is: { readonly source: string; readonly text: string } | undefined,
  mask: Mask,
): Promise<OutdatedPart | undefined> {
  if (was === undefined || is === undefined) {
    const { source, text } = (is ?? was) as SavedText;
    return rendering(subjectOf(source, text), was === undefined ? 'was not planned' : 'is no longer sent');
  }
  const shown = mask.document(is.text, is.source);
  // The file may hide more than is known to be secret now.
  const parts = hiddenInDocument(was.text, is.text, is.source);
  const isDerived = shown === was.text || parts !== undefined;
  const subject = subjectOf(is.source, is.text);
  if (!isDerived || is.source !== was.source)
    return rendering(subject, `is rendered differently${fieldsOf(was.text, shown)}`);
  const isEqual = was.text === is.text || (was.proof !== undefined && (await isProved(is.text, was.proof, parts)));
  return isEqual ? undefined : rendering(subject, 'renders different secret data');
}

/** Hooks that are recorded otherwise than the review of the plan shows. */
export async function hookChanges(
  { review, options, action }: SavedRelease,
  { release, replaced }: DecidedChange,
  mask: Mask,
): Promise<readonly OutdatedPart[]> {
  if (options['noHooks'] === true || action === 'uninstall') return [];
  const shown = (hooks: readonly Hook[]): readonly Hook[] =>
    hooks.map((hook) => ({ ...hook, manifest: mask.document(hook.manifest, hook.path) }));
  const [before, after] = [shown(replaced?.hooks ?? []), shown(release.hooks)];
  const { namespace } = release;
  const differing = await diffHooks({ before, after, namespace }, { showSecrets: true });
  return unseenHooks(review, differing).map((id) => rendering(formatId(id), 'is a hook that the plan does not show'));
}

const rendering = (subject: string, how: string): OutdatedPart => ({
  kind: 'rendering',
  subject,
  text: `${subject} ${how}`,
});

function fieldsOf(was: string, is: string): string {
  const [before, after] = [parseManifest(was, '').object, parseManifest(is, '').object];
  const paths = fieldDifferences(before, after).map(({ path }) => path);
  return paths.length === 0 ? '' : `: ${paths.join(', ')}`;
}
