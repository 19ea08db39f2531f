import { userRulesOf } from '../../cluster/health.ts';
import type { UserRules } from '../../cluster/readiness.ts';
import type { StackNode } from '../plan-stack.ts';

/** The rules for the objects of a release: those of the run, else its own, else its file's. Errors: `health-checks-invalid`. */
export function healthRulesOf(
  { release, file }: Pick<StackNode, 'release' | 'file'>,
  ofRun: UserRules | undefined,
): UserRules | undefined {
  const locate = (of: string | undefined): string => file.locate({ field: 'health', release: of });
  const rules = [
    ofRun,
    release.health &&
      userRulesOf(
        release.health,
        placeIn(() => locate(release.name)),
      ),
    file.spec.health &&
      userRulesOf(
        file.spec.health,
        placeIn(() => locate(undefined)),
      ),
  ].filter((one) => one !== undefined);
  if (rules.length === 0) return undefined;
  return (object) => rules.map((ruleOf) => ruleOf(object)).find((rule) => rule !== undefined);
}

/** `helmfile.yaml:12: health[0].current` */
const placeIn =
  (locate: () => string) =>
  ([index, ...key]: readonly string[]): string =>
    `${locate()}: ${[`health[${index}]`, ...key].join('.')}`;
