import { learnFromObjects } from '../../change/learn-secrets.ts';
import type { Preview, StartedPreviews } from '../../execute/preview/preview.ts';
import { isSecret } from '../../manifest/without-server-state.ts';
import { type ComparedStates, compareStates, type ShownOptions } from './object-diff.ts';

export interface ComparedPreview {
  readonly preview: Preview;
  /** undefined where it is to be compared again. */
  readonly compared: ComparedStates | undefined;
}

/**
 * Each object is compared as soon as the server has answered, while it works on the others. `learning`: how objects may be
 * shown, once all Secrets in the cluster are read. If one of these has changed since, nothing was masked by its new values.
 */
export async function comparedPreviews(
  applying: Promise<StartedPreviews>,
  learning: Promise<ShownOptions>,
): Promise<readonly ComparedPreview[]> {
  const { live, previews } = await applying;
  const compare = async (answer: Promise<Preview>): Promise<ComparedPreview> => {
    const preview = await answer;
    return { preview, compared: compareStates({ before: preview.live, after: preview.result }, await learning) };
  };
  const [found, shown, compared] = await Promise.all([live, learning, Promise.all(previews.map(compare))]);
  const known = new Set(found);
  const changed = compared.flatMap(({ preview }) =>
    preview.live !== undefined && isSecret(preview.id) && !known.has(preview.live) ? [preview.live] : [],
  );
  learnFromObjects(changed, shown.secrets);
  return changed.length === 0 ? compared : compared.map(({ preview }) => ({ preview, compared: undefined }));
}
