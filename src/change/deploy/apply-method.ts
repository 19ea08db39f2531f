import type { CrdFile } from '../../chart/types.ts';
import type { Release } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';

/** `--server-side`: `auto` follows the method of an earlier revision. */
export type ApplyMode = 'auto' | 'true' | 'false' | boolean;

/** Whether client-side apply is asked for; what is new has no earlier revision to follow. */
export const isClientSide = (mode: ApplyMode | undefined): boolean => mode === false || mode === 'false';

/** Whether a deploy uses server-side apply (action.getUpgradeServerSideValue). */
export function usesServerSideApply(mode: ApplyMode = 'auto', earlier: Release): boolean {
  switch (mode) {
    case 'auto':
      return earlier.applyMethod === 'ssa';
    case true:
    case 'true':
      return true;
    case false:
    case 'false':
      return false;
    default:
      throw new TshelmError('invalid-arguments', {
        message: `invalid/unknown release server-side apply method: ${String(mode)}; use auto, true or false`,
      });
  }
}

/** What the way that a change is applied excludes. Errors: `invalid-arguments`, in the words of kube.Client.Update. */
export function refuseForce(usesServerSide: boolean, { forceReplace, forceConflicts }: Force): void {
  if (usesServerSide && forceReplace === true)
    throw new TshelmError('invalid-arguments', {
      message: 'invalid operation: cannot use server-side apply and force replace together',
      details: { remedies: [{ kind: 'set-option', option: 'serverSide', value: 'false' }] },
    });
  if (!usesServerSide && forceConflicts === true) throw noConflicts('invalid client update option(s)');
}

/** The same of the files of crds/, the only objects of a new release of which Helm's client says so. */
export function refuseForceOfCrds([crd]: readonly CrdFile[], { forceConflicts }: Force): void {
  if (crd !== undefined && forceConflicts === true)
    throw noConflicts(`failed to install CRD ${crd.name}: invalid client create option(s)`);
}

const noConflicts = (beginning: string): TshelmError =>
  new TshelmError('invalid-arguments', {
    message: `${beginning}: forceConflicts enabled when serverSideApply disabled`,
    details: { remedies: [{ kind: 'set-option', option: 'serverSide', value: 'true' }] },
  });

interface Force {
  readonly forceReplace?: boolean | undefined;
  readonly forceConflicts?: boolean | undefined;
}
