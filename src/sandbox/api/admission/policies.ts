import { CelError } from '../../../cel/error.ts';
import type { Selection } from '../../../cel/selections.ts';
import { celValue } from '../../../cel/values.ts';
import { byteLength } from '../../../go/text.ts';
import type { JsonObject } from '../../../support/json.ts';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../../kubernetes.ts';
import type { Resource } from '../../resource.ts';
import { matchesLabelSelector } from '../../store/selectors.ts';
import { matchingVersion } from './match.ts';
import { compile, type Expression, evaluate, type Values, withVariables } from './policy-expressions.ts';
import { type AdmissionRequest, converted, isNamespace, namespaceOf, requestFields } from './request.ts';

type Policy = ValidatingAdmissionPolicy;
type Binding = ValidatingAdmissionPolicyBinding;

/** What policies look at beside the request. */
export interface PolicyContext {
  readonly policies: readonly Policy[];
  readonly bindings: readonly Binding[];
  /** The Namespace of the request's object. */
  readonly namespace: Resource | undefined;
  /** The versions at which the request's kind is served. */
  readonly versions: readonly string[];
  /** The objects of a kind of parameters; undefined where no such kind is served. */
  paramsOf(
    apiVersion: string,
    kind: string,
  ): { readonly namespaced: boolean; readonly objects: readonly Resource[] } | undefined;
}

/** What a policy says of a request, in the API server's words. `not-judged`: an expression that needs more than we have. */
export interface Decision {
  readonly verdict: 'denied' | 'warned' | 'not-judged';
  readonly message: string;
  /** The reason of the refusal's Status. */
  readonly reason: string;
  readonly policy: string;
  /** None where the policy itself is at fault. */
  readonly binding?: string | undefined;
  /** What the expression says, without the names of the policy and the binding. */
  readonly words: string;
  /** What the expression reads of its variables. */
  readonly fields: readonly Selection[];
}

/** What the policies with a binding say of a request (policy/validating/dispatcher.go); nothing of what they admit. */
export function decide(request: AdmissionRequest, context: PolicyContext): Decision[] {
  return context.policies.flatMap((policy) => {
    const version = matchingVersion(policy.spec?.matchConstraints ?? {}, request, matchContext(context));
    const bindings = context.bindings.filter(({ spec }) => spec?.policyName === policy.metadata.name);
    if (version === undefined || bindings.length === 0) return [];
    const { paramKind } = policy.spec ?? {};
    const params = paramKind && context.paramsOf(paramKind.apiVersion ?? '', paramKind.kind ?? '');
    if (paramKind !== undefined && params === undefined) return [notConfigured(policy, paramKind)].flat();
    return bindings
      .filter(({ spec }) => matchingVersion(spec?.matchResources ?? {}, request, matchContext(context)) !== undefined)
      .flatMap((binding) => boundDecisions({ request, context, policy, binding, version, params }));
  });
}

const matchContext = ({ namespace, versions }: PolicyContext) => ({
  namespaceLabels: namespace?.metadata.labels,
  versions,
});

type Params = ReturnType<PolicyContext['paramsOf']>;

/** A policy with one of its bindings, at the version of the request's kind that it asks for. */
interface Bound {
  readonly request: AdmissionRequest;
  readonly context: PolicyContext;
  readonly policy: Policy;
  readonly binding: Binding;
  readonly version: string;
  readonly params: Params;
}

const fails = ({ spec }: Policy): boolean => spec?.failurePolicy !== 'Ignore';

function notConfigured(
  policy: Policy,
  { apiVersion = '', kind = '' }: { apiVersion?: string | undefined; kind?: string | undefined },
): Decision[] {
  if (!fails(policy)) return [];
  const [version, group] = apiVersion.split('/').reverse();
  const gvk = `${group === undefined ? '' : `${group}/`}${version}, Kind=${kind}`;
  const words = `failed to configure policy: failed to find resource referenced by paramKind: '${gvk}'`;
  const { name } = policy.metadata;
  const message = `ValidatingAdmissionPolicy '${name}' denied request: ${words}`;
  return [{ verdict: 'denied', message, reason: 'Invalid', policy: name, words, fields: [] }];
}

function boundDecisions(bound: Bound): Decision[] {
  const { policy, binding } = bound;
  const names = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  const params = paramsFor(bound);
  const decision = (
    verdict: Decision['verdict'],
    message: string,
    { message: words, reason = '', fields = [] }: Omit<Finding, 'kind'>,
  ): Decision => ({
    verdict,
    message,
    reason,
    policy: policy.metadata.name,
    binding: binding.metadata.name,
    words,
    fields,
  });
  const denial = (finding: Omit<Finding, 'kind'>): Decision =>
    decision('denied', `${names} denied request: ${finding.message}`, { reason: 'Invalid', ...finding });
  if (typeof params === 'string')
    return fails(policy) ? [denial({ message: `failed to configure binding: ${params}` })] : [];
  return params
    .flatMap((param) => findings(bound, param))
    .flatMap((finding): Decision[] => {
      const { message } = finding;
      if (finding.kind === 'not-judged')
        return [decision('not-judged', `${names} was not judged: ${message}`, finding)];
      return (binding.spec?.validationActions ?? []).flatMap((action) => {
        if (action === 'Deny') return denial({ ...finding, reason: finding.reason ?? 'Invalid' });
        return action === 'Warn'
          ? decision('warned', `Validation failed for ${names}: ${message}`, { message, fields: finding.fields })
          : [];
      });
    });
}

/** The parameters of a binding (policy/generic, CollectParams), `undefined` for none; or why there are none. */
function paramsFor({ request, policy, binding, params }: Bound): readonly (Resource | undefined)[] | string {
  const ref = binding.spec?.paramRef;
  if (policy.spec?.paramKind === undefined || ref === undefined || params === undefined) return [undefined];
  if (!params.namespaced && ref.namespace)
    return 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
  const namespace = params.namespaced ? ref.namespace || namespaceOf(request) : undefined;
  if (params.namespaced && namespace === undefined)
    return 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
  const found = params.objects.filter(
    ({ metadata }) =>
      metadata.namespace === namespace &&
      (ref.name ? metadata.name === ref.name : matchesLabelSelector(ref.selector as JsonObject, metadata.labels)),
  );
  return found.length === 0 && ref.parameterNotFoundAction === 'Deny'
    ? 'no params found for policy binding with `Deny` parameterNotFoundAction'
    : found;
}

/** One expression that does not hold, could not be evaluated, or could not be judged here. */
interface Finding {
  readonly kind: 'failed' | 'not-judged';
  readonly message: string;
  readonly reason?: string | undefined;
  readonly fields?: readonly Selection[] | undefined;
}

/** policy/validating/validator.go, Validate */
function findings(bound: Bound, param: Resource | undefined): Finding[] {
  const { policy, request, context, version } = bound;
  const { conditions, validations, variables } = compiled(policy);
  const values: Values = {
    object: celValue(converted(request.kind, version, request.object) ?? null),
    oldObject: celValue(converted(request.kind, version, request.oldObject) ?? null),
    request: celValue(requestFields(request, version)),
    params: celValue(param ?? null),
    namespaceObject: null,
  };
  const applies = outcomeOf(conditions, withVariables(values, variables));
  if (applies.kind === 'not-judged') return [applies];
  if (applies.kind === 'failed') return applies.message !== '' && fails(policy) ? [applies] : [];
  const namespaceObject = isNamespace(request.kind) ? null : celValue(context.namespace ?? null);
  const all = withVariables({ ...values, namespaceObject }, variables);
  return validations.flatMap((validation) =>
    findingOf(validation, all, fails(policy)).map((finding) => ({
      ...finding,
      fields: fieldsOf(validation, new Map(variables)),
    })),
  );
}

/** Whether all conditions hold: `failed` without a message where one is false, with one where some could not be evaluated. */
function outcomeOf(conditions: readonly Expression[], values: Values): Finding | { readonly kind: 'holds' } {
  const errors: string[] = [];
  for (const condition of conditions) {
    const outcome = evaluate(condition, values);
    if (outcome.kind === 'not-judged') return outcome;
    if (outcome.kind === 'failed') errors.push(outcome.message);
    else if (outcome.value === false) return { kind: 'failed', message: '' };
  }
  if (errors.length === 0) return { kind: 'holds' };
  return { kind: 'failed', message: errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]` };
}

/** What an expression reads, those of the variables of the policy that it names looked up. */
function fieldsOf({ program }: Expression, variables: ReadonlyMap<string, Expression>): readonly Selection[] {
  if (program instanceof CelError) return [];
  return program.fields.flatMap((field) => {
    const [root, name, ...rest] = field;
    const variable = root === 'variables' ? variables.get(String(name)) : undefined;
    if (variable === undefined) return [field];
    const others = new Map([...variables].filter(([other]) => other !== name));
    return fieldsOf(variable, others).map((one) => [...one, ...rest]);
  });
}

interface Validation extends Expression {
  readonly message: string;
  readonly messageExpression: Expression | undefined;
  readonly reason: string | undefined;
}

function findingOf(validation: Validation, values: Values, failsOnError: boolean): Finding[] {
  const outcome = evaluate(validation, values);
  if (outcome.kind === 'not-judged') return [outcome];
  if (outcome.kind === 'failed') return failsOnError ? [outcome] : [];
  if (outcome.value === true) return [];
  const message = writtenMessage(validation, values) || validation.message.trim();
  return [
    { kind: 'failed', message: message || `failed expression: ${validation.text.trim()}`, reason: validation.reason },
  ];
}

const maxMessageBytes = 5 * 1024;

/** What `messageExpression` says, if that is one line. */
function writtenMessage({ messageExpression }: Validation, values: Values): string {
  const outcome = messageExpression && evaluate(messageExpression, values);
  const text = outcome?.kind === 'value' && typeof outcome.value === 'string' ? outcome.value.trim() : '';
  return byteLength(text) > maxMessageBytes || text.includes('\n') ? '' : text;
}

interface Compiled {
  readonly conditions: readonly Expression[];
  readonly variables: readonly (readonly [name: string, expression: Expression])[];
  readonly validations: readonly Validation[];
}

const compiledPolicies = new WeakMap<Policy, Compiled>();

function compiled(policy: Policy): Compiled {
  const known = compiledPolicies.get(policy);
  if (known !== undefined) return known;
  const { matchConditions = [], variables = [], validations = [] } = policy.spec ?? {};
  const result: Compiled = {
    conditions: matchConditions.map(({ expression }) => compile(expression)),
    variables: variables.map(({ name = '', expression }) => [name, compile(expression)] as const),
    validations: validations.map(({ expression, message = '', messageExpression, reason }) => ({
      ...compile(expression),
      message,
      messageExpression: messageExpression ? compile(messageExpression) : undefined,
      reason,
    })),
  };
  compiledPolicies.set(policy, result);
  return result;
}
