import type { UserRules } from '../../cluster/readiness.ts';
import { annotations } from '../../manifest/annotations.ts';
import type { Manifest } from '../../manifest/types.ts';
import { manifestsOfSteps } from '../../plan/arrange.ts';
import { resourceName } from '../../plan/names.ts';
import { fileLineText } from '../../support/file-line.ts';
import type { Context } from '../context.ts';
import type { Decided } from '../phases.ts';

const key = annotations.readiness;

/**
 * The change with the rules that its objects bring in CEL (docs/ordering.md, 8): they go before the user's own, which are
 * for kinds. Errors: `health-checks-invalid`.
 */
export async function withDeclaredReadiness(
  decided: Decided,
  { userRules }: Pick<Context, 'userRules'>,
): Promise<Decided> {
  const declaring = manifestsOfSteps(decided.plan, 'apply').filter(
    ({ object }) => object.metadata.annotations?.[key] !== undefined,
  );
  if (decided.plan.strategy !== 'ordered' || declaring.length === 0) return decided;
  const { userRulesOf } = await import('../../cluster/health.ts');
  const rules = new Map(
    declaring.map((manifest) => {
      const { apiVersion, kind } = manifest.object;
      const check = { apiVersion, kind, ...checkOf(manifest) };
      return [keyOf(manifest.object), userRulesOf([check], () => placeOf(manifest))({ apiVersion, kind })];
    }),
  );
  const ofObject: UserRules = (object) => rules.get(keyOf(object)) ?? userRules?.(object);
  return { ...decided, execution: { ...decided.execution, userRules: ofObject } };
}

/** The same expressions for objects of one kind are one rule, wherever they are. */
const keyOf = ({ apiVersion, kind, metadata }: Parameters<UserRules>[0]): string =>
  `${apiVersion} ${kind} ${metadata?.annotations?.[key]}`;

/** What is no mapping has no `current`, which is complained of. */
function checkOf({ object }: Manifest): object {
  try {
    const value: unknown = JSON.parse(String(object.metadata.annotations?.[key]));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const placeOf = (manifest: Manifest): string => {
  const place = manifest.declaredAt?.[key];
  return place === undefined ? `${manifest.source}: ${resourceName(manifest)}` : fileLineText(place);
};
