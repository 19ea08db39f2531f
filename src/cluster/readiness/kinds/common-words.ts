import type { KubernetesObject } from '../../../manifest/types.ts';
import type { Readiness } from '../../types.ts';
import { countOfWanted, hinderedBy, ready, waiting } from '../words.ts';
import { unreported } from './rule.ts';
import { Status } from './status.ts';

/**
 * Readiness of a kind that has no rule, by the words that most operators use. None of them fails a wait at once: what
 * looks broken may recover, so it fails when nothing improves for the time of grace. What uses other words is ready.
 */
export function byCommonWords(object: KubernetesObject): Readiness {
  const status = new Status(object);
  const early = unreported(status);
  if (early !== undefined) return early;
  const isReady = status.condition('Ready')?.status === 'True';
  const words = wordFields.map((field) => status.text(field));
  const broken =
    (isReady ? undefined : status.conditions.find((one) => one.status === 'True' && brokenTypes.test(one.type))) ??
    words.find((word) => brokenWords.test(word));
  if (broken !== undefined) return hinderedBy([status.fact('doubtful', broken)], undefined);
  const wanted = status.text('spec.replicas');
  const count = readyCounts.reduce((sum, field) => sum + Number(status.text(field)), 0);
  if (wanted !== '' && status.text('readyReplicas') !== '' && count < Number(wanted))
    return waiting(countOfWanted(count, Number(wanted), 'replicas ready'));
  if (isReady) return ready;
  const unmet =
    status.condition('Ready') ?? status.conditions.find((one) => readyTypes.has(one.type) && one.status !== 'True');
  const busy = unmet ?? words.find((word) => busyWords.test(word));
  return busy === undefined ? ready : hinderedBy([status.fact('open', busy)], undefined);
}

/** What a game server of Agones' Fleet is besides ready, when players are on it. */
const readyCounts = ['readyReplicas', 'allocatedReplicas', 'reservedReplicas'];

const wordFields = ['phase', 'state', 'status', 'health', 'currentState', 'currentStatus'];

/** Conditions that are True of what is ready. */
const readyTypes = new Set(
  'Available Synced Healthy Succeeded Accepted Programmed ResolvedRefs Admitted Established Installed Deployed'.split(
    ' ',
  ),
);

/** Conditions that are True of what is broken. */
const brokenTypes = /^(?:Degraded|Invalid|NotReady|HasErrors|ErrorOccurred|InvalidSpec|\w*(?:Failed|Failure|Error))$/;

const brokenWords = /^(?:\w*(?:failed|error)|errored|failure|degraded|invalid|broken|unhealthy)$/i;

const busyWords =
  /^(?:pending|progressing|in[-_]?progress|creating|initiali[sz]ing|provisioning|updating|upgrading|restarting|starting|waiting|deploying|installing|reconciling|not[-_ ]?ready|unknown)$/i;
