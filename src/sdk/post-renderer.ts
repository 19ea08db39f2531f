import { TshelmError } from '../support/errors.ts';
import type { ChartCallOptions } from './options.ts';

/** The post-renderer of a call; what it gives is checked, for programs without a type checker. Errors: `post-renderer-failed`. */
export function postRendererOf({ postRenderer }: ChartCallOptions): ((text: string) => Promise<string>) | undefined {
  if (postRenderer === undefined) return undefined;
  return async (text) => {
    const manifests: unknown = await postRenderer(text);
    if (typeof manifests === 'string') return manifests;
    throw new TshelmError('post-renderer-failed', {
      message: `the option postRenderer must return the manifests as a string or a promise of a string; it returned ${manifests === null ? 'null' : typeof manifests}`,
    });
  };
}
