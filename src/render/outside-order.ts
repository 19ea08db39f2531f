import { misfitError, type OrderFile, type ResourceRule, type Selector } from '../chart/order-file.ts';
import { chartNamesOf } from '../chart/paths.ts';
import { annotations, legalKeys } from '../manifest/annotations.ts';
import { isWaitedFor } from '../manifest/hook.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { Classified, Hook, Manifest } from '../manifest/types.ts';
import { nearest } from '../support/near.ts';
import { fitsPattern } from '../support/pattern.ts';
import { readPlainYaml } from '../yaml/index.ts';
import { withAnnotation, withoutMember } from './document-edits.ts';
import { annotationsOf, editedText, withAnnotations } from './post-render.ts';

/**
 * The resources and hooks with what an order file declares of them, as annotations: so the record keeps it, and rollback and
 * uninstall follow it. Errors: `order-file-invalid`: a rule selects nothing, or waits for a group that nothing belongs to.
 */
export function withOutsideOrder(classified: Classified, order: OrderFile): Classified {
  const idle = new Set(order.resources);
  const rulesOf = (manifest: Manifest, isOfKind: (rule: ResourceRule) => boolean): readonly ResourceRule[] => {
    const rules = order.resources.filter((rule) => isOfKind(rule) && isSelected(manifest, rule.select));
    for (const rule of rules) idle.delete(rule);
    return rules;
  };
  const manifests = classified.manifests.map((manifest) => {
    const rules = rulesOf(manifest, (rule) => !isOfHooks(rule));
    return rules.length === 0 ? manifest : withRules(manifest, rules);
  });
  const hooks = classified.hooks.map((hook): Hook => {
    if (!isWaitedFor(hook)) return hook;
    const manifest = manifestOfHook(hook);
    const rules = rulesOf(manifest, isOfHooks);
    if (rules.length === 0) return hook;
    const { text, declaredAt } = withRules(manifest, rules);
    return { ...hook, manifest: text, declaredAt };
  });
  const mistakes = [
    ...[...idle].map((rule) => ({ place: rule.place, text: reasonOf(rule, classified) })),
    ...unknownGroups(order.resources, manifests),
  ];
  if (mistakes.length > 0) throw misfitError(mistakes);
  return { ...classified, manifests, hooks };
}

/** A rule for several charts may name a group that only one of them has; one that none has is a slip. */
function unknownGroups(rules: readonly ResourceRule[], manifests: readonly Manifest[]) {
  const known = new Set(
    manifests.flatMap(({ object: { metadata } }) =>
      [resourceGroup, layer].flatMap((key) => metadata.annotations?.[key] ?? []).map(String),
    ),
  );
  return rules.flatMap(({ place, dependsOn }) =>
    [...new Set(dependsOn?.groups)]
      .filter((name) => !known.has(name))
      .map((name) => {
        const meant = nearest(name, known);
        const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
        const text = `dependsOn names ${JSON.stringify(name)}, but no resource belongs to that group${hint}`;
        return { place, text };
      }),
  );
}

const isOfHooks = ({ timeout }: ResourceRule): boolean => timeout !== undefined;

const manifestOfHook = ({ manifest, path }: Hook): Manifest => parseManifest(manifest, path);

function reasonOf(rule: ResourceRule, { hooks }: Classified): string {
  if (isOfHooks(rule)) return 'this rule selects no hook that is waited for, a Job or a Pod';
  return hooks.map(manifestOfHook).some((hook) => isSelected(hook, rule.select))
    ? 'this rule selects only hooks, whose order is helm.sh/hook-weight'
    : 'this rule selects no resource of the release';
}

function isSelected({ source, object }: Manifest, { kind, name, chart, labels }: Selector): boolean {
  const path = chartNamesOf(source).slice(1).join('/') || '.';
  const given: Readonly<Record<string, unknown>> = object.metadata.labels ?? {};
  return (
    fitsOne(object.kind, kind) &&
    fitsOne(object.metadata.name, name) &&
    fitsOne(path, chart) &&
    Object.entries(labels).every(([label, value]) => label in given && fitsPattern(String(given[label]), value))
  );
}

const fitsOne = (text: string, patterns: readonly string[]): boolean =>
  patterns.length === 0 || patterns.some((pattern) => fitsPattern(text, pattern));

const { resourceGroup, layer, dependsOnResourceGroups, dependsOnLayer, dependsOnChart, weight } = annotations;
const orderKeys: readonly string[] = [
  resourceGroup,
  layer,
  dependsOnResourceGroups,
  dependsOnLayer,
  dependsOnChart,
  weight,
  ...Object.keys(legalKeys),
];

/** What a rule sets, and which annotations it takes the place of. */
function declaredBy({ group, dependsOn, weight: number, readiness, needs, timeout }: ResourceRule) {
  const set: Record<string, string> = {};
  const replaced: string[] = [];
  if (group !== undefined) {
    set[resourceGroup] = group;
    replaced.push(layer, weight);
  }
  if (dependsOn !== undefined) {
    replaced.push(dependsOnResourceGroups, dependsOnLayer, dependsOnChart, weight);
    if (dependsOn.groups.length > 0) set[dependsOnResourceGroups] = JSON.stringify(dependsOn.groups);
    if (dependsOn.charts.length > 0) set[dependsOnChart] = JSON.stringify(dependsOn.charts);
  }
  if (number !== undefined) {
    set[weight] = String(number);
    replaced.push(...orderKeys);
  }
  if (readiness !== undefined) {
    replaced.push(annotations.readinessSuccess, annotations.readinessFailure, annotations.readiness);
    if ('current' in readiness) set[annotations.readiness] = JSON.stringify(readiness);
    else {
      set[annotations.readinessSuccess] = JSON.stringify(readiness.success);
      set[annotations.readinessFailure] = JSON.stringify(readiness.failure);
    }
  }
  if (needs !== undefined) set[annotations.needs] = JSON.stringify(needs);
  if (timeout !== undefined) set[annotations.hookTimeout] = String(timeout);
  return { set, replaced };
}

function withRules(manifest: Manifest, rules: readonly ResourceRule[]): Manifest {
  const value = readPlainYaml(manifest.text) as Record<string, unknown>;
  const given = annotationsOf(value);
  const wanted: Record<string, unknown> = { ...given };
  const declaredAt: Record<string, ResourceRule['place']> = {};
  for (const rule of rules) {
    const { set, replaced } = declaredBy(rule);
    for (const key of replaced) {
      delete wanted[key];
      delete declaredAt[key];
    }
    for (const [key, text] of Object.entries(set)) {
      wanted[key] = text;
      declaredAt[key] = rule.place;
    }
  }
  const changed = Object.keys({ ...given, ...wanted }).filter((key) => given[key] !== wanted[key]);
  const edit = (text: string): string => changed.reduce((edited, key) => withValue(edited, key, wanted[key]), text);
  const after = Object.keys(wanted).length === 0 ? undefined : wanted;
  const text = editedText(manifest.text, edit, withAnnotations(value, after));
  return { ...parseManifest(text, manifest.source), declaredAt };
}

function withValue(text: string, key: string, value: unknown): string {
  const without = withoutMember(text, ['metadata', 'annotations', key]);
  return typeof value === 'string' ? withAnnotation(without, key, value) : without;
}
