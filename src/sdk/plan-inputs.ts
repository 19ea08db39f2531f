import { resolve } from 'node:path';
import { accessFlags, secretRefsFlag } from '../actions/options/chart.ts';
import { optionsWithRows } from '../change/option-rows.ts';
import { joinedValues, type ValueFlags } from '../chart/value-options.ts';
import { writeJson } from '../go/json/json.ts';
import { inputsToLoad } from '../saved-plan/apply.ts';
import type { SavedInputs, SavedRelease } from '../saved-plan/types.ts';
import { awaitOutsideWork } from '../support/outside-work.ts';
import { refused } from './option-checks.ts';
import type { ApplyOptions, ChartCallOptions, ChartReference, PlanFile } from './options.ts';
import type { Session } from './session.ts';
import type { ValuesOptions } from './user-values.ts';
import { goValues, type Value } from './values.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** A chart and its values, and where they come from. Errors: `bad-options` for what no file can hold. */
export async function chartToSave(reference: ChartReference, options: ChartCallOptions, session: Session) {
  if (typeof reference !== 'string')
    throw refused(
      'save',
      'a saved plan records where its chart comes from: pass a folder, an archive or a URL, not a loaded chart',
    );
  const given = valueTexts(options);
  return {
    reference,
    access: optionsWithRows({ ...accessFlags, ...secretRefsFlag }, options),
    chart: await session.chart(reference, options),
    given,
    values: await session.values({ ...options, values: undefined, ...given }),
  };
}

/** The file of a plan, until when it can be applied, and who makes it. Errors: `bad-options`. */
export function targetOf(
  { file, expiresInMs = weekMs, signKey }: Pick<PlanFile, 'file' | 'expiresInMs' | 'signKey'>,
  { environment: env, clock }: Session,
) {
  if (file === undefined || file === '') throw refused('save.file', 'save needs the option file, the path to save to');
  return { path: resolve(file), expiresInMs, signKey, env, now: clock.now() };
}

/** Values as the flags of the command line, which a file keeps. Errors: `bad-options`. */
function valueTexts({ values, ...flags }: ValuesOptions): ValueFlags {
  if (values !== undefined && hasInteger(values))
    throw refused(
      'values',
      "a plan with a bigint in values cannot be saved; pass it as a string: set: ['id=9007199254740993']",
    );
  return joinedValues({ setJson: values === undefined ? [] : [writeJson(goValues(values))] }, flags);
}

const hasInteger = (value: Value | undefined): boolean =>
  typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(hasInteger));

/** The chart as it is now; the values too, where the file does not have them. */
export async function loadedInputs(
  saved: Pick<SavedRelease, 'sealed'>,
  inputs: SavedInputs,
  options: ApplyOptions,
  session: Session,
) {
  const given = valueTexts(options);
  const isGiven = Object.values(given).some((texts = []) => texts.length > 0);
  if (saved.sealed === undefined && inputs.leftOut.length > 0 && !isGiven)
    throw refused(
      'values',
      'the file does not store secrets: pass the values that contain secrets again, as when the plan was made',
    );
  if (saved.sealed === undefined && inputs.access['secretRefs'] === true && options.secretRefs !== true)
    throw refused(
      'secretRefs',
      'the values of the plan have references to secrets: pass secretRefs: true to follow them',
    );
  const access = optionsWithRows(accessFlags, options);
  const { reference, access: found, values } = inputsToLoad(saved, inputs, { access, values: given });
  const call = { ...options, ...found };
  return {
    chart: await awaitOutsideWork(session.chart(reference, call)),
    values: await awaitOutsideWork(session.values({ ...call, values: undefined, ...joinedValues({}, values) })),
  };
}
