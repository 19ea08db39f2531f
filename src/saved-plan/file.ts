import { goPathError, withPathErrors } from '../go/path-error.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { writePrivateFile } from '../support/private-file.ts';
import { tshelmVersion } from '../support/version.ts';
import { sha256 } from './proof.ts';
import { checkSignature, isSignedBy, signatureOf } from './signature.ts';
import type { SavedPlan } from './types.ts';

/** The format and its version: what changes the meaning of a file gets another one. */
const format = 'tshelm.dev/saved-plan/v1';

interface PlanFile {
  readonly format: typeof format;
  /** Over the compact JSON of `plan`: it tells accidents and edits. Whoever edits on purpose can make a new one. */
  readonly digest: string;
  /** Of an ed25519 key, over the format and the compact JSON of `plan`; in base64. */
  readonly signature?: string;
  readonly released?: Released;
  readonly plan: SavedPlan;
}

/** That a person or a policy has looked at a plan, and lets others apply it. */
interface Released extends Releasing {
  /** Of an ed25519 key, over the format, `released`, and the compact JSON of `at`, `by` and `plan`; in base64. */
  readonly signature: string;
}

interface Releasing {
  /** RFC 3339. */
  readonly at: string;
  /** User and machine, or the CI job. */
  readonly by: string;
}

/** Whose word is needed for a plan: public keys of ed25519, as texts of their files. Default: nobody's. */
export interface PlanTrust {
  /** One of them signed the plan when it was made. */
  readonly verifyKeys?: readonly string[] | undefined;
  /** One of them released it. */
  readonly releaseKeys?: readonly string[] | undefined;
}

/** A plan as the text of its file, signed where there is a private key. Errors: `plan-signature`. */
export function planFileText(plan: SavedPlan, signKey?: string): string {
  const written = JSON.parse(JSON.stringify(plan)) as SavedPlan;
  const signed = signKey === undefined ? {} : { signature: signatureOf(signedText(written), signKey) };
  const file: PlanFile = { format, digest: digestOf(written), ...signed, plan: written };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/**
 * The text of a plan's file with a release by the owner of a private key; another release goes. Errors: as of
 * {@link readPlanFile}, `plan-signature`.
 */
export function releasedPlanText(
  text: string,
  path: string,
  { at, by, signKey, verifyKeys }: Releasing & PlanTrust & { readonly signKey: string },
): string {
  const plan = readPlanFile(text, path, { verifyKeys });
  const { released: _former, plan: _plan, ...rest } = parsed(text, path);
  const released = { at, by, signature: signatureOf(releasedText({ at, by }, plan), signKey) };
  return `${JSON.stringify({ ...rest, released, plan }, null, 1)}\n`;
}

/** Another text than that of {@link signedText}: who makes plans, and signs them, has not released them. */
const releasedText = ({ at, by }: Releasing, plan: unknown): string =>
  `${format} released\n${JSON.stringify({ at, by, plan })}`;

/** Errors: `plan-unreleased`; `plan-signature` for keys that cannot be read. */
function checkReleased({ released, plan }: ParsedFile, path: string, keys: readonly string[]): void {
  const { at, by, signature } = (released ?? {}) as Partial<Record<keyof Released, unknown>>;
  if (typeof at !== 'string' || typeof by !== 'string' || typeof signature !== 'string')
    throw unreleased(path, 'nobody has released it');
  if (!isSignedBy(releasedText({ at, by }, plan), signature, keys))
    throw unreleased(path, 'none of the keys that may release plans did, or it was changed afterwards');
}

const unreleased = (path: string, why: string): TshelmError =>
  new TshelmError('plan-unreleased', { message: `the plan ${path} may not be applied: ${why}`, details: { path } });

const digestOf = (plan: unknown): string => `sha256:${sha256(JSON.stringify(plan))}`;

const signedText = (plan: unknown): string => `${format}\n${JSON.stringify(plan)}`;

/** The plan of the file that `read` reads. Errors: `plan-unusable`, `plan-signature`, `plan-unreleased`. */
export async function openPlanFile(path: string, read: () => Promise<string>, trust?: PlanTrust): Promise<SavedPlan> {
  const text = await read().catch((cause: unknown) => {
    const message = messageOf(goPathError('open', path, cause));
    throw new TshelmError('plan-unusable', { message, details: { path }, cause });
  });
  return readPlanFile(text, path, trust);
}

/** The plan of a file. Errors: `plan-unusable`, `plan-signature`, `plan-unreleased`. */
export function readPlanFile(text: string, path: string, { verifyKeys, releaseKeys }: PlanTrust = {}): SavedPlan {
  const file = parsed(text, path);
  if (verifyKeys !== undefined) checkSignature(signedText(file.plan), file.signature, verifyKeys);
  if (file.format !== format) {
    const found =
      typeof file.format === 'string' ? `its format is ${file.format}, not ${format}` : 'it has no format field';
    throw unusable(path, `it is not a plan that this version of tshelm can read: ${found}`);
  }
  if (file.digest !== digestOf(file.plan))
    throw unusable(path, 'it was changed after it was written: its digest does not match its content');
  if (!Array.isArray((file.plan as Partial<SavedPlan> | undefined)?.releases))
    throw unusable(path, 'it has no releases');
  if (releaseKeys !== undefined) checkReleased(file, path, releaseKeys);
  return file.plan as SavedPlan;
}

type ParsedFile = Partial<Record<keyof PlanFile, unknown>>;

function parsed(text: string, path: string): ParsedFile {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below, whatever it is.
  }
  throw unusable(path, 'it is not a JSON object, so it is not a complete saved plan');
}

export const unusable = (path: string, why: string): TshelmError =>
  new TshelmError('plan-unusable', { message: `the plan ${path} cannot be used: ${why}`, details: { path } });

/** Writes a plan that its owner alone can read. Errors: `plan-unwritable`. */
export function writePlanFile(path: string, text: string): void {
  try {
    withPathErrors('open', path, () => writePrivateFile(path, text));
  } catch (cause) {
    throw new TshelmError('plan-unwritable', { message: messageOf(cause), details: { path }, cause });
  }
}

/** Errors: `plan-of-other-version`, `plan-expired`. */
export function checkUsable(plan: SavedPlan, now: Date): void {
  if (plan.tshelm !== tshelmVersion) {
    throw new TshelmError('plan-of-other-version', {
      message: `the plan was made by tshelm ${plan.tshelm}, but this is tshelm ${tshelmVersion}, which might plan differently: apply it with the version that made it, or plan again`,
      details: { version: plan.tshelm },
    });
  }
  if (!(now.getTime() < Date.parse(plan.expiresAt))) {
    throw new TshelmError('plan-expired', {
      message: `the plan of ${plan.createdAt} expired at ${plan.expiresAt}; plan again`,
      details: { expiresAt: plan.expiresAt },
    });
  }
}
