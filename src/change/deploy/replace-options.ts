import type { OnImmutable, ReplaceRules } from '../../execute/replace-rules.ts';
import type { FlagRows } from '../option-rows.ts';

/** Which objects an install, upgrade or rollback may delete and create again. */
export interface ReplaceOptions {
  /**
   * Objects of the release, `Deployment/web` or `shop/Deployment/web`, that are deleted and created again, whether or not
   * they can be changed in place.
   */
  readonly replaceObjects?: readonly string[] | undefined;
  /** Deletes and creates again each object that cannot be changed in place, but none that holds data. Default false. */
  readonly replaceImmutable?: boolean | undefined;
  /**
   * What happens to objects that cannot be changed in place, by `Kind/name`, `Kind/*` or `*`: they are deleted and created
   * again (`replace`), so too but what they own stays (`orphan`), or they are refused (`fail`).
   */
  readonly onImmutable?: Readonly<Record<string, OnImmutable>> | undefined;
  /** Lets `replaceObjects` name what holds data: PersistentVolumeClaims, PersistentVolumes, CRDs. Default false. */
  readonly allowDataLoss?: boolean | undefined;
}

export const replaceFlags = {
  replace: {
    type: 'strings',
    option: 'replaceObjects',
    placeholder: 'KIND/NAME',
    description:
      'delete this object of the release and create it again, whether or not it can be changed in place (can be repeated)',
  },
  'replace-immutable': {
    type: 'bool',
    option: 'replaceImmutable',
    description:
      'delete objects that cannot be changed in place and create them again: built-in kinds, and never what holds data',
  },
  'allow-data-loss': {
    type: 'bool',
    option: 'allowDataLoss',
    description: 'allow --replace to delete objects that hold data: PersistentVolumeClaims, PersistentVolumes, CRDs',
  },
} satisfies FlagRows<ReplaceOptions>;

/** The same as the execution and dry runs read it. `forceReplace` agrees to what `replaceImmutable` agrees to. */
export const replaceRulesOf = (
  options: ReplaceOptions & {
    readonly forceReplace?: boolean | undefined;
    readonly takeOwnership?: boolean | undefined;
  },
  { isUndoing = false, isInstall = false }: { readonly isUndoing?: boolean | undefined; readonly isInstall?: boolean },
): ReplaceRules => ({
  named: options.replaceObjects ?? [],
  onImmutable: {
    ...options.onImmutable,
    ...((options.replaceImmutable || options.forceReplace) && { '*': 'replace' }),
  },
  allowDataLoss: options.allowDataLoss === true,
  takesOwnership: options.takeOwnership === true,
  isUndoing,
  canName: !isInstall && options.onImmutable === undefined,
});
