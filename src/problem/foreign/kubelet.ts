import { parseDuration } from '../../go/time/duration.ts';
import { type Quote, textOf } from '../quote.ts';
import type { ProbeFailure, ProbeKind, Reference } from '../workload-fact.ts';

/** What a kubelet's sentence says of a container that it cannot create, or of a volume that it cannot mount. */
interface Row {
  readonly says: RegExp;
  readonly means: (found: RegExpExecArray) => Reference;
}

const references: readonly Row[] = [
  // "couldn't find key mode in ConfigMap shop/settings": kubelet_pods.go, makeEnvironmentVariables
  {
    says: /couldn't find key (\S+) in (ConfigMap|Secret) (?:[\w-]+\/)?([\w.-]+)/,
    means: ([, key, kind, name]) => ({ kind: kind as Reference['kind'], name, key }),
  },
  // `configmap "settings" not found`: the API's NotFound of kubelet_pods.go and of volume/configmap, volume/secret
  {
    says: /\b(configmap|secret) "([^"]+)" not found/,
    means: ([, kind, name]) => ({ kind: kind === 'secret' ? 'Secret' : 'ConfigMap', name }),
  },
  // "references non-existent config key: a.conf": volume/configmap/configmap.go, MakePayload
  {
    says: /references non-existent config key: ([\w.-]+)/,
    means: ([, key]) => ({ kind: 'ConfigMap', key }),
  },
  // "references non-existent secret key: tls.crt": volume/secret/secret.go, MakePayload
  {
    says: /references non-existent secret key: ([\w.-]+)/,
    means: ([, key]) => ({ kind: 'Secret', key }),
  },
];

/** The ConfigMap or Secret, or the key of one, that is not there. */
export function missingIn(quote: Quote): Reference | undefined {
  const text = textOf(quote);
  for (const { says, means } of references) {
    const found = says.exec(text);
    if (found !== null) return means(found);
  }
  return undefined;
}

/** "back-off 2m40s restarting failed container=app pod=…": kuberuntime_manager.go, doBackOff */
export function backOffMsIn(quote: Quote): number | undefined {
  const [, duration] = /^back-off ([\dhms.]+) restarting failed container=/.exec(textOf(quote)) ?? [];
  return duration === undefined ? undefined : Number(parseDuration(duration) / 1_000_000n);
}

/** kuberuntime/security_context.go, verifyRunAsNonRoot */
const rootRefusals = /^container has runAsNonRoot |^container's runAsUser breaks non-root policy/;

/** Whether a container is held because it would run as root. */
export const isRootRefused = (quote: Quote): boolean => rootRefusals.test(textOf(quote));

/**
 * What a probe got for an answer, and whether the sentence names what it asked (prober/prober.go, prober_manager.go):
 * `Readiness probe failed: HTTP probe failed with statuscode: 503`, `Liveness probe failed: Get "http://10.0.0.7:80/":
 * dial tcp 10.0.0.7:80: connect: connection refused`, `Startup probe errored: …`.
 */
export function probeFailureIn(
  quote: Quote,
): (Omit<ProbeFailure, 'asked'> & { readonly namesTarget: boolean }) | undefined {
  const text = textOf(quote);
  const kind = /^(Liveness|Readiness|Startup) probe/.exec(text)?.[1]?.toLowerCase() as ProbeKind | undefined;
  if (kind === undefined) return undefined;
  const status = /HTTP probe failed with statuscode: (\d{3})/.exec(text)?.[1];
  const namesTarget = /"https?:\/\/|dial tcp /.test(text);
  if (status !== undefined) return { kind, answer: 'status', status: Number(status), words: quote, namesTarget };
  return { kind, answer: /connection refused/.test(text) ? 'connection-refused' : 'other', words: quote, namesTarget };
}
