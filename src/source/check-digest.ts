import { type Notify, warn } from '../chart/notice.ts';
import { GoError } from '../go/value.ts';
import { shownUrl } from './http/shown-url.ts';

export interface ArchivePlace {
  readonly url: string;
  /** Of its scheme. */
  readonly keepsArchives: boolean;
  readonly onNotice: Notify | undefined;
}

/**
 * What a server sends must be what the index says. A plugin may pack the chart at each fetch, as helm-git does, so its
 * archive is taken with a warning. Throws GoError.
 */
export function checkDigest(found: string, wanted: string, { url, keepsArchives, onNotice }: ArchivePlace): void {
  if (found === wanted) return;
  if (keepsArchives)
    throw new GoError(`mismatched digest: the content is sha256:${found}, not sha256:${wanted} as the index says`);
  const digests = { url: shownUrl(url), content: `sha256:${found}`, index: `sha256:${wanted}` };
  onNotice?.(warn('the plugin downloaded a different archive than the index lists', digests));
}
