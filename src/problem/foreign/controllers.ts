import { type Quote, textOf } from '../quote.ts';
import type { Requested, WorkloadFact } from '../workload-fact.ts';

/** Why the API server does not let a controller create its pods. */
export type Refusal = Extract<
  WorkloadFact,
  {
    code:
      | 'pods-exceed-quota'
      | 'resources-unspecified'
      | 'pods-refused'
      | 'service-account-missing'
      | 'priority-class-missing'
      | 'pods-not-created';
  }
>;
type Cause = Refusal extends infer One ? (One extends unknown ? Omit<One, 'outlook'> : never) : never;

/** What the controllers of workloads, and that of StatefulSets (since 1.36 with a capital), put before the API server's sentence. */
const controllersWords =
  /^(?:Error creating|[Cc]reate (?:Pod|Claim) \S+ (?:for Pod \S+ )?in StatefulSet \S+ failed error): /;

/**
 * By how the API server begins its sentence: what a webhook, a policy or a name adds behind that decides nothing. A
 * webhook that cannot be asked ("Internal error occurred") has not refused: it may be coming up.
 */
const table: readonly { readonly says: RegExp; readonly means: (text: string, words: Quote) => Cause }[] = [
  {
    // `pods "x" is forbidden: exceeded quota: small, requested: pods=1, used: …`: plugin/resourcequota/controller.go
    says: /^\S+ "[^"]*" is forbidden: (?:exceeded|failed) quota: /,
    means: (text, words) => {
      const [, quota, of, name] =
        /quota: ([^\s,:]+)(?:, requested: (requests\.|limits\.)?([\w./-]+)=)?/.exec(text) ?? [];
      if (/must specify/.test(text)) return { code: 'resources-unspecified', quota, words };
      const resource: Requested | undefined =
        name === undefined
          ? undefined
          : { name, of: of === 'limits.' ? 'limits' : of === undefined ? 'count' : 'requests' };
      return { code: 'pods-exceed-quota', quota, ...(resource && { resource }), words };
    },
  },
  {
    // `pods "x" is forbidden: error looking up service account shop/robot: serviceaccount "robot" not found`:
    // plugin/pkg/admission/serviceaccount/admission.go. The namespace's controller makes `default` a moment later.
    says: /^\S+ "[^"]*" is forbidden: error looking up service account /,
    means: (text, words) => {
      const name = /error looking up service account [^\s/]+\/([^\s:]+)/.exec(text)?.[1] ?? '';
      return { code: 'service-account-missing', name, words };
    },
  },
  {
    // `pods "x" is forbidden: no PriorityClass with name urgent was found`: plugin/pkg/admission/priority/admission.go
    says: /^\S+ "[^"]*" is forbidden: no PriorityClass with name /,
    means: (text, words) => {
      const name = /no PriorityClass with name (\S+) was found/.exec(text)?.[1] ?? '';
      return { code: 'priority-class-missing', name, words };
    },
  },
  {
    // `admission webhook "x" denied the request: …`: webhook/errors/statuserror.go; PodSecurity, LimitRanger, validation
    says: /^admission webhook "[^"]*" denied the request|^\S+ "[^"]*" is (?:forbidden|invalid): /,
    means: (text, words) => ({
      code: 'pods-refused',
      names: [...new Set([...text.matchAll(/["'`]([^"'`\s]+)["'`]/g)].map(([, word = '']) => word))],
      // "maximum memory usage per Container is 1Gi": plugin/pkg/admission/limitranger
      ...(/(?:maximum|minimum) (?:cpu|memory|ephemeral-storage) usage per/.test(text) && {
        isAboutResources: true as const,
      }),
      words,
    }),
  },
];

export function refusalIn(words: Quote): Cause {
  const sentence = textOf(words).replace(controllersWords, '');
  return table.find(({ says }) => says.test(sentence))?.means(sentence, words) ?? { code: 'pods-not-created', words };
}

/** `storageclass.storage.k8s.io "fast" not found`: the API's NotFound in the volume controller's event. */
export const missingStorageClass = (words: Quote): string | undefined =>
  /storageclass\S* "([^"]*)" not found/.exec(textOf(words))?.[1];

/** A sentence of a controller without the ends of names that Kubernetes draws at random (util/rand: its alphabet). */
export const withoutRandomNames = (words: Quote): string =>
  textOf(words).replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-…');
