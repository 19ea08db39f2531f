import { Quote, textOf } from '../quote.ts';
import type { WorkloadFact } from '../workload-fact.ts';

type PullCode = Extract<WorkloadFact, { image: string; reason: string }>['code'];

/** Words of registries, by way of containerd, CRI-O and dockerd, in the kubelet's message of a failed pull. */
const table: readonly { readonly says: RegExp; readonly means: PullCode }[] = [
  // "toomanyrequests: You have reached your pull rate limit": Docker Hub; "429 Too Many Requests": containerd, remotes/docker
  { says: /toomanyrequests|too many requests/i, means: 'registry-limit' },
  // "dial tcp: lookup r.example.com: no such host", "tls: failed to verify certificate: x509: …": Go, net and crypto/tls
  {
    says: /no such host|connection refused|i\/o timeout|network is unreachable|x509|TLS handshake/i,
    means: 'registry-unreachable',
  },
  // "pull access denied, repository does not exist or may require authorization": containerd, remotes/docker/authorizer.go
  {
    says: /repository does not exist or may require|insufficient_scope|pull access denied/i,
    means: 'image-not-found-or-denied',
  },
  // "unexpected status: 401 Unauthorized", "no basic auth credentials": containerd and dockerd
  {
    says: /unauthorized|authentication required|no basic auth|40[13] Forbidden|: 40[13]\b|denied/i,
    means: 'image-denied',
  },
  // "manifest unknown": the registry's API; "docker.io/library/web:1: not found": containerd
  { says: /manifest unknown|: not found|no such manifest/i, means: 'image-not-found' },
];

/** What a failed pull is about. The words name the image once, and none of the runtime's own parts. */
export function pullFailure(quote: Quote, image: string): { readonly code: PullCode; readonly words?: Quote } {
  const whole = textOf(quote);
  // An image's name is up to five times in what a runtime says, before what was wrong.
  const text = whole
    .replace(/^Back-off pulling image ("[^"]+"): ErrImagePull: (?=.*\S)/s, (start, name: string) =>
      whole.slice(start.length).includes(name) ? '' : `image ${name}: `,
    )
    .replace(/rpc error: code = \w+ desc = /g, '')
    .replace(/: failed to resolve reference ("([^"]+)"): (?:\2: )?/, ': ');
  const code = table.find(({ says }) => says.test(text))?.means ?? 'image-pull-failed';
  if (text === '') return image === '' ? { code } : { code, words: new Quote(`image "${image}"`) };
  return { code, words: new Quote(image === '' || text.includes(image) ? text : `image "${image}": ${text}`) };
}

/**
 * What a runtime says of a container that it could not start, without the names of its own parts before it: `failed to
 * create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start
 * container process: exec: "serve": executable file not found in $PATH: unknown` (runc, libcontainer/process_linux.go).
 */
export const startWords = (quote: Quote): Quote | undefined => {
  const text = textOf(quote)
    .replace(/^.*?(?=unable to start container process: )/s, '')
    .replace(/: unknown$/, '');
  return text === '' ? undefined : new Quote(text);
};

/**
 * `exec: "serve": executable file not found in $PATH`, `exec: "/app/serve": stat /app/serve: no such file or directory`,
 * `exec: "/app": permission denied` or `is a directory` (Go's os/exec by way of runc), `exec /app/serve: exec format error`
 * (runc, libcontainer/init_linux.go), "executable file `serve` not found in $PATH" (crun, src/libcrun/utils.c).
 */
const programFaults =
  /exec: "[^"]*": (?:executable file not found|stat [^:]*: no such file|permission denied|is a directory)|: exec format error|executable file [`'][^`']*[`'] not found/;

/** Whether a runtime says that the image has no such program, or none that this node can run. */
export const isProgramAtFault = (quote: Quote): boolean => programFaults.test(textOf(quote));
