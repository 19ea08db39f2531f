import { goPathError } from '../go/path-error.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { tshelmVersion } from '../support/version.ts';
import { sha256 } from './proof.ts';
import { checkSignature, signatureOf } from './signature.ts';
import type { SavedPlan } from './types.ts';

/** The format and its version: what changes the meaning of a file gets another one. */
const format = 'tshelm.dev/saved-plan/v1';

interface PlanFile {
  readonly format: typeof format;
  /** Over the compact JSON of `plan`: it tells accidents and edits. Whoever edits on purpose can make a new one. */
  readonly digest: string;
  /** Of an ed25519 key, over the format and the compact JSON of `plan`; in base64. */
  readonly signature?: string;
  readonly plan: SavedPlan;
}

/** A plan as the text of its file, signed where there is a private key. Errors: `plan-signature`. */
export function planFileText(plan: SavedPlan, signKey?: string): string {
  const written = JSON.parse(JSON.stringify(plan)) as SavedPlan;
  const signed = signKey === undefined ? {} : { signature: signatureOf(signedText(written), signKey) };
  const file: PlanFile = { format, digest: digestOf(written), ...signed, plan: written };
  return `${JSON.stringify(file, null, 1)}\n`;
}

const digestOf = (plan: unknown): string => `sha256:${sha256(JSON.stringify(plan))}`;

const signedText = (plan: unknown): string => `${format}\n${JSON.stringify(plan)}`;

/** The plan of the file that `read` reads. Errors: `plan-unusable`, `plan-signature`. */
export async function openPlanFile(
  path: string,
  read: () => Promise<string>,
  verifyKeys?: readonly string[],
): Promise<SavedPlan> {
  const text = await read().catch((cause: unknown) => {
    const message = messageOf(goPathError('open', path, cause));
    throw new TshelmError('plan-unusable', { message, details: { path }, cause });
  });
  return readPlanFile(text, path, verifyKeys);
}

/** The plan of a file; `verifyKeys`: public keys, one of which must have signed it. Errors: `plan-unusable`, `plan-signature`. */
export function readPlanFile(text: string, path: string, verifyKeys?: readonly string[]): SavedPlan {
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
  return file.plan as SavedPlan;
}

function parsed(text: string, path: string): Partial<Record<keyof PlanFile, unknown>> {
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
