import type { Quote } from './quote.ts';

/** What keeps an object of a release from being ready. Read from fields, conditions, exit codes and events (foreign/). */
export type WorkloadFact =
  /** A container's image cannot be had. */
  | ({
      readonly code: 'image-not-found' | 'image-denied' | 'registry-unreachable' | 'registry-limit' | 'image-pull';
    } & Image)
  /** What its controller, the kubelet or the scheduler says, where no row of foreign/ knows more. */
  | { readonly code: 'not-ready'; readonly reason: string; readonly words?: Quote | undefined }
  /** A mistake that no message names and that may lie behind one: a selector without pods, a value that nothing reads. Correct it at its place. */
  | { readonly code: 'loose-end'; readonly words: Quote };

interface Image {
  readonly container: string;
  readonly image: string;
  /** The kubelet's reason: `ImagePullBackOff`. */
  readonly reason: string;
  readonly words?: Quote | undefined;
}
