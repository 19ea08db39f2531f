import { TshelmError } from '../support/errors.ts';
import { isObject } from '../support/json.ts';
import { lineOfKeys, readOwnYaml, YamlError } from '../yaml/index.ts';
import { type HealthCheck, type MistakePath, type PlaceOf, userRulesOf } from './readiness/health-checks.ts';
import type { UserRules } from './readiness.ts';

export { type HealthCheck, userRulesOf };

/**
 * The rules in a YAML or JSON file: a list of health checks, or a mapping that has it under `healthCheckExprs`, as the
 * spec of a Flux Kustomization. `name` is what the file is called in messages. Errors: `health-checks-invalid`.
 */
export function readHealthFile(text: string, name: string): UserRules {
  const refused = (mistake: string, cause?: unknown): TshelmError =>
    new TshelmError('health-checks-invalid', { message: mistake, details: { mistakes: [mistake] }, cause });
  let content: unknown;
  try {
    content = readOwnYaml(text);
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    throw refused(`${name}: ${cause.message}`, cause);
  }
  if (!isObject(content)) return userRulesOf(content, placeIn(text, name, []));
  const [other] = Object.keys(content).filter((key) => key !== listKey);
  if (other !== undefined)
    throw refused(
      `${placeIn(text, name, [])([other])}: there is no key ${other}; a file of health checks is a list, or a mapping with the key ${listKey}`,
    );
  return userRulesOf(content[listKey], placeIn(text, name, [listKey]));
}

const listKey = 'healthCheckExprs';

/** Places below these keys: `health.yaml:3`. */
const placeIn =
  (text: string, name: string, keys: MistakePath): PlaceOf =>
  (path) => {
    const line = lineOfKeys(text, [...keys, ...path]);
    return line === undefined ? name : `${name}:${line}`;
  };
