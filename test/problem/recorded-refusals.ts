import { readFileSync } from 'node:fs';
import type { ApiFailure } from '../../src/cluster/types.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';

interface Answer {
  readonly name: string;
  readonly body?: Partial<KubernetesObject>;
  readonly answer: {
    readonly code?: number;
    readonly reason?: string;
    readonly message?: string;
    readonly details?: { readonly kind?: string; readonly causes?: ApiFailure['causes'] };
  };
}

/** What a real API server refused, recorded (scripts/sandbox-answers.mjs). */
export function recordedRefusals() {
  const text = readFileSync(new URL('../sandbox/fixtures/refusals.json', import.meta.url), 'utf8');
  const answers = JSON.parse(text) as readonly Answer[];
  return answers
    .filter(({ answer }) => (answer.code ?? 0) >= 400)
    .map(({ name, body, answer }) => ({ name, body: body ?? {}, status: statusOf(answer) }));
}

const statusOf = ({ code = 0, reason = 'Unknown', details, message = '' }: Answer['answer']): ApiFailure => ({
  status: code,
  reason,
  about: details?.kind,
  message,
  causes: details?.causes ?? [],
  method: 'POST',
  path: '',
});
