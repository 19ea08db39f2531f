import type { Finding } from '../cluster/diagnosis.ts';
import { listOf, textOr } from '../manifest/fields.ts';
import type { Container } from '../manifest/kubernetes.ts';
import { podSpecOf } from './faulty-fields.ts';
import type { PlanObject } from './plan-objects.ts';

const maxPorts = 3;

/**
 * What a probe may ask where nothing listens on the port that it asked: the ports that the container's log names, or else
 * those that its specification lists. Nothing where neither speaks against the port.
 */
export function portInstead(finding: Finding, one: PlanObject): readonly string[] {
  const asked = refusedPort.exec(finding.reason)?.[1];
  if (asked === undefined) return [];
  const listed = listOf(containerOf(finding, one)?.ports);
  const names = new Map(listed.map(({ containerPort, name }) => [String(containerPort), textOr(name, '')]));
  const named = [...new Set([...finding.log, ...finding.previousLog].flatMap(listeningPorts))];
  const ports = named.length > 0 ? named : [...names.keys()];
  if (ports.length === 0 || ports.includes(asked)) return [];
  const told = ports.slice(0, maxPorts).map((port) => (names.get(port) ? `${port} (${names.get(port)})` : port));
  const proof = named.length > 0 ? 'that its log names' : 'that the container lists';
  return [`probe port ${told.join(' or ')}, ${proof}, instead of ${asked}`];
}

/** In the words of the kubelet. */
const refusedPort = /probe failed: .*dial tcp \S*:(\d+): (?:connect: )?connection refused/;

function containerOf({ chain }: Finding, { object }: PlanObject): Container | undefined {
  const name = /^(?:init )?container (.*)$/.exec(chain.at(-1) ?? '')?.[1];
  const spec = podSpecOf(object);
  const containers: readonly Container[] = [...listOf(spec?.initContainers), ...listOf(spec?.containers)];
  return containers.find((one) => one.name === name);
}

const saysListening = /\b(?:listen(?:s|ing)?|serving|started|running|bound|ready|local)\b/i;
/** `listening on 8080`, `port(s): 8080`, `http://localhost:8080`, `"addr":":8080"`; not times, and not other hosts' ports. */
const ownPort =
  /(?:\bports?\b\D{0,6}|\bon |(?:^|[\s(=:])["']?(?:https?:\/\/)?(?:localhost|\d+(?:\.\d+){3}|\[::\d?\]|\*)?:)(\d{2,5})\b(?![.:\d-])/gi;

const listeningPorts = (line: string): readonly string[] =>
  saysListening.test(line) ? [...line.matchAll(ownPort)].map(([, port = '']) => port) : [];
