import { pathText } from '../manifest/field-path.ts';
import type { AllowedValue, OutsideStep, Remedy } from '../problem/remedy.ts';
import { unreachable } from '../support/errors.ts';
import { isDigits, shellWord } from '../support/text.ts';
import { optionText, type Reader } from './option.ts';
import { typeText } from './refusal.ts';
import { keysText } from './value.ts';

/** What to do, in one line, with the flags of the command line. */
export const remedyText = (remedy: Remedy): string => textFor(remedy, 'terminal');

/** The same with the options of the library. */
export const remedyForPrograms = (remedy: Remedy): string => textFor(remedy, 'program');

function textFor(remedy: Remedy, reader: Reader): string {
  switch (remedy.kind) {
    case 'set-option':
      return optionRemedy(remedy, reader);
    case 'set-value':
      return valueRemedy(remedy, reader);
    case 'change-field':
      return fieldRemedy(remedy, reader);
    case 'change-type':
      return typeRemedy(remedy);
    case 'indent': {
      const below = remedy.below.map(pathText).join(' or ');
      const where = below === '' ? 'it belongs to the object itself' : `it belongs under ${below}`;
      const isLess = remedy.below.every((path) => path.length < remedy.path.length - 1);
      return remedy.to === undefined
        ? `indent ${String(remedy.path.at(-1))} ${isLess ? 'less' : 'further'}: ${where}`
        : `write ${remedy.to} instead of ${remedy.from}: ${where}`;
    }
    case 'delete-object': {
      const { kind, name, namespace } = remedy.object;
      return `kubectl delete ${kind.toLowerCase()} ${name}${namespace === '' ? '' : ` -n ${namespace}`}, so that the next run can create it`;
    }
    case 'use-name':
      return nameRemedy(remedy);
    case 'create-object':
      return objectRemedy(remedy);
    case 'apply-earlier': {
      const { object, neededBy } = remedy;
      return `put ${object.kind}/${object.name}, which this release applies later, into the group of ${neededBy.kind}/${neededBy.name} or an earlier one`;
    }
    case 'outside':
      return outsideText(remedy.what, remedy.name);
    case 'change-text':
      return textRemedy(remedy);
    case 'drop-rule':
      return `remove the rule ${remedy.rule}, which forbids taking over the field`;
    case 'run':
      return runText(remedy);
    default:
      return unreachable(remedy);
  }
}

function textRemedy({ from, to, line }: Extract<Remedy, { kind: 'change-text' }>): string {
  if (to === '') return `remove ${from}`;
  if (to === `${from}{{- end }}`) return `write {{- end }} after line ${line}, or wherever the block should end`;
  if (to === `${from}"` || to === `${from}'`) return `write ${to.slice(-1)} at the end of line ${line}`;
  const text = from.trimStart();
  if (text !== to.trimStart()) return `write ${to} instead of ${from}`;
  return `write ${to.length - text.length} spaces instead of ${from.length - text.length} before ${text}`;
}

function optionRemedy(remedy: Extract<Remedy, { kind: 'set-option' }>, reader: Reader): string {
  const { option, value, alsoValues = [], alsoSet = {} } = remedy;
  if (option === 'takeFields' && value !== undefined) return takingRemedy([value, ...alsoValues], reader);
  const options = [[option, value] as const, ...Object.entries(alsoSet)];
  const set = options.map(([name, one]) => optionText(name, one, reader)).join(reader === 'terminal' ? ' ' : ', ');
  const effect = alsoSet['allowDataLoss'] === undefined ? effects[option] : effects['allowDataLoss'];
  return `${reader === 'terminal' ? 'add' : 'set'} ${set}${effect === undefined ? '' : ` to ${effect}`}`;
}

/** `add --take-fields=A --take-fields=B to take over …`, or `set takeFields: ['A', 'B'] to …`. All of them are needed. */
function takingRemedy(rules: readonly string[], reader: Reader): string {
  const set =
    reader === 'program'
      ? `set takeFields: [${rules.map((rule) => `'${rule}'`).join(', ')}]`
      : `add ${rules.map((rule) => optionText('takeFields', rule, reader)).join(' ')}`;
  return rules.length === 1
    ? `${set} to take over this field; end the rule with =leave to leave the field to its manager`
    : `${set} to take over these fields; end a rule with =leave to leave its field to its manager`;
}

function runText({ verb, arguments: words, namespace }: Extract<Remedy, { kind: 'run' }>): string {
  const where = namespace === undefined ? [] : ['-n', namespace];
  return ['tshelm', ...[verb, ...words, ...where].map(shellWord)].join(' ');
}

function valueRemedy(remedy: Extract<Remedy, { kind: 'set-value' }>, reader: Reader): string {
  const { keys, value, makes, allowed, ownFile } = remedy;
  if (value !== undefined)
    return `set ${keysText(keys)} to ${['true', 'false'].includes(value) ? value : `"${value}"`}${makes === undefined ? '' : `; the field then becomes "${makes}"`}`;
  const own = ownFile === undefined ? ' with -f, with --set, or in values.yaml' : ` in ${ownFile} or with --set`;
  const item = keys.findIndex(isDigits);
  // What is given of a list takes the place of all of it.
  const ofList = ` in ${ownFile ?? 'values.yaml'}, or all of ${keysText(keys.slice(0, item))} with -f`;
  const asked = allowed === undefined ? '' : `: the schema requires ${allowedText(allowed)}`;
  return `set ${keysText(keys)}${reader === 'program' ? '' : item > 0 ? ofList : own}${asked}`;
}

/** `a string that matches ^[0-9]+Gi$, such as "8Gi"`, `one of "a", "b"` */
export function allowedText({
  types = [],
  choice,
  pattern,
  minimum,
  maximum,
  minLength,
  example,
}: AllowedValue): string {
  const limits = [
    rangeText(minimum, maximum),
    minLength === undefined ? '' : `of at least ${minLength} characters`,
    pattern === undefined ? '' : `that matches ${pattern}`,
  ];
  const type = types.map(withArticle).join(' or ') || 'a value';
  const what = choice === undefined ? type : `one of ${choice.join(', ')}`;
  return `${[what, ...limits].filter((part) => part !== '').join(' ')}${example === undefined ? '' : `, such as ${example}`}`;
}

function rangeText(minimum: AllowedValue['minimum'], maximum: AllowedValue['maximum']): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `of at least ${minimum}`;
  return maximum === undefined ? '' : `of at most ${maximum}`;
}

const withArticle = (type: string): string => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`);

/** What an option does about the problem, after `to`. */
const effects: Readonly<Record<string, string>> = {
  allowDataLoss: 'delete the object together with its data',
  allowLostOrder: 'deploy the chart in the order that is left',
  forceConflicts: 'take over the fields',
  forceReplace: 'delete and recreate the object',
  replaceImmutable: 'delete and recreate the object',
  replaceObjects: 'delete and recreate the object',
  createNamespace: 'create the namespace of the release',
  skipSchemaValidation: 'skip the check of the values',
  takeOwnership: 'make the object part of this release',
  trimRecord: 'leave files that templates never read out of the record',
  staleAfterMs: 'take over the release sooner if the other run is dead',
  waitLockMs: 'wait for the other run to finish',
  'cluster.context': 'use another cluster',
  'cluster.kubeconfig': 'use another cluster',
};

/** How to write the value so that it has the type: a number or a boolean without quotes, a string with them. */
function typeRemedy({ path, keys, type, value = '' }: Extract<Remedy, { kind: 'change-type' }>): string {
  const what = keys === undefined ? pathText(path) : keysText(keys);
  const isMeant = type === 'number' ? /^-?\d+(?:\.\d+)?$/.test(value) : ['true', 'false'].includes(value);
  const way =
    type === 'string'
      ? ': put it in quotes (in a template: {{ … | quote }})'
      : (type === 'number' || type === 'boolean') && isMeant
        ? `: write ${value} without quotes`
        : '';
  return `${what} must be ${typeText[type]}${way}`;
}

function fieldRemedy(remedy: Extract<Remedy, { kind: 'change-field' }>, reader: Reader): string {
  const { path, keys, instead, value, or, how = 'correct' } = remedy;
  const field = pathText(path);
  if (keys !== undefined && value === undefined)
    return `${how} ${keysText(keys)}${reader === 'program' ? '' : setExample(keys)}`;
  if (how === 'rename') return `correct the name or the indentation of ${field}`;
  if (value === undefined) return `${how} ${field}`;
  if (instead === undefined) return `set ${field} to ${value}`;
  return `write ${or === undefined ? `"${value}"` : `"${value}" or "${or}"`} instead of "${instead}"`;
}

/** For keys that a shell and --set take as they are. */
const setExample = (keys: readonly string[]): string =>
  keys.every((key) => /^[\w-]+$/.test(key) && !isDigits(key)) ? `, for example with --set ${keysText(keys)}=…` : '';

function nameRemedy({ name, instead, of, isGuess, isEither }: Extract<Remedy, { kind: 'use-name' }>): string {
  if (isEither) return `use one name in both places: ${instead} or ${name}`;
  if (isGuess) return `did you mean ${name} instead of ${instead}?`;
  if (of === undefined) return `use ${name} instead of ${instead}`;
  return `use ${of.name === name ? '' : `${name} of `}${of.kind}/${of.name} instead of ${instead}`;
}

function objectRemedy({ object, keys = [], type }: Extract<Remedy, { kind: 'create-object' }>): string {
  const ofType = type === undefined ? '' : ` of type ${type}`;
  const having = keys.length === 0 ? '' : ` with the ${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}`;
  const where = object.namespace ? ` in namespace ${object.namespace}` : '';
  return `create ${object.kind}/${object.name}${ofType}${having}${where}, or refer to an existing one`;
}

function outsideText(what: OutsideStep, name: string | undefined): string {
  switch (what) {
    case 'push-image':
      return `push ${name || 'the image'}`;
    case 'add-node':
      return `add a node with enough ${name}`;
    case 'raise-quota':
      return `raise ResourceQuota/${name}`;
    case 'install-crd':
      return `install the CRD of ${name}`;
    case 'create-storage-class':
      return `create StorageClass/${name}`;
    case 'provide-volume':
      return `provide a volume with the size, access mode and storage class of the claim; kubectl describe pvc ${name} shows what is missing`;
    case 'read-log':
      return 'read the log of the program: the program itself returned the error that the probe got';
    case 'fix-program':
      return 'make the program use less memory';
    case 'ask-for-rights':
      return `ask for the right to ${name}`;
    case 'check-registry':
      return `check that the nodes can reach the registry of ${name || 'the image'}`;
    case 'fix-dns':
      return `correct the name ${name}, or add it to the cluster's DNS`;
    case 'decrypt-value':
      return `decrypt the value with sops, or move the value to a values file that sops encrypts as a whole (tshelm decrypts such files); to deploy the encrypted text on purpose, annotate the object with ${name}: keep`;
    default:
      return what satisfies never;
  }
}
