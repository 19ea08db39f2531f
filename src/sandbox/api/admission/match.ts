import type { JsonObject } from '../../../support/json.ts';
import type { MatchResources, ResourceRule } from '../../kubernetes.ts';
import { matchesLabelSelector } from '../../store/selectors.ts';
import { type AdmissionRequest, isNamespace, namespaceOf, subjectOf } from './request.ts';

/** What rules need to know beside the request. */
export interface MatchContext {
  /** The labels of the request's namespace. */
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
  /** The versions at which the request's kind is served. */
  readonly versions: readonly string[];
}

/**
 * The version of its kind at which a request matches (policy/matching, Matcher.Matches); undefined where it does not.
 * Without `resourceRules`, everything matches that the selectors select.
 */
export function matchingVersion(
  { namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [], matchPolicy }: MatchResources,
  request: AdmissionRequest,
  { namespaceLabels, versions }: MatchContext,
): string | undefined {
  const { kind, object, oldObject } = request;
  const isInNamespace = namespaceOf(request) !== undefined;
  if (isInNamespace && !selects(namespaceSelector, namespaceLabels)) return undefined;
  if (![object, oldObject].some((each) => each !== undefined && selects(objectSelector, each.metadata.labels)))
    return undefined;
  const asked = [kind.version, ...(matchPolicy === 'Exact' ? [] : versions.filter((one) => one !== kind.version))];
  const versionOf = (rules: readonly ResourceRule[]): string | undefined =>
    asked.find((version) => rules.some((rule) => isMatch(rule, request, version)));
  if (versionOf(excludeResourceRules) !== undefined) return undefined;
  return resourceRules.length === 0 ? kind.version : versionOf(resourceRules);
}

type Selector = MatchResources['objectSelector'];

const selects = (selector: Selector, labels: MatchContext['namespaceLabels']): boolean =>
  selector === undefined || matchesLabelSelector(selector as JsonObject, labels);

/** rules.go, Matcher.Matches */
function isMatch(rule: ResourceRule, request: AdmissionRequest, version: string): boolean {
  const { kind, subresource, operation } = request;
  const { apiGroups, apiVersions, operations, resources = [], resourceNames = [], scope = '*' } = rule;
  const isClustered = isNamespace(kind) || namespaceOf(request) === undefined;
  return (
    (scope === '*' || (scope === 'Cluster') === isClustered) &&
    includes(operations, operation) &&
    includes(apiGroups, kind.group) &&
    includes(apiVersions, version) &&
    resources.some((each) => {
      const [resource = '', wanted = ''] = each.split('/');
      return includes([resource], kind.plural) && includes([wanted], subresource);
    }) &&
    (resourceNames.length === 0 || resourceNames.includes(subjectOf(request).metadata.name))
  );
}

const includes = (list: readonly string[] | undefined, value: string): boolean =>
  list?.some((one) => one === '*' || one === value) ?? false;
