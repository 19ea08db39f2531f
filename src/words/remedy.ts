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
      return remedy.to === undefined
        ? `indent ${String(remedy.path.at(-1))} further: it belongs below ${below}`
        : `write ${remedy.to} instead of ${remedy.from}: it belongs below ${below}`;
    }
    case 'delete-object': {
      const { kind, name, namespace } = remedy.object;
      return `kubectl delete ${kind.toLowerCase()} ${name}${namespace === '' ? '' : ` -n ${namespace}`}, so that the next run can create it`;
    }
    case 'use-name':
      return nameRemedy(remedy);
    case 'create-object':
      return objectRemedy(remedy);
    case 'outside':
      return outsideText(remedy.what, remedy.name);
    case 'change-text':
      return textRemedy(remedy);
    case 'drop-rule':
      return `leave out the rule ${remedy.rule}, which forbids taking the field over`;
    case 'run':
      return runText(remedy);
    default:
      return unreachable(remedy);
  }
}

function textRemedy({ from, to }: Extract<Remedy, { kind: 'change-text' }>): string {
  const text = from.trimStart();
  if (text !== to.trimStart()) return `write ${to} instead of ${from}`;
  return `write ${to.length - text.length} spaces instead of ${from.length - text.length} before ${text}`;
}

function optionRemedy(remedy: Extract<Remedy, { kind: 'set-option' }>, reader: Reader): string {
  const { option, value, alsoValues = [], alsoSet = {} } = remedy;
  if (option === 'takeFields' && value !== undefined) return takingRemedy([value, ...alsoValues], reader);
  const options = [[option, value] as const, ...Object.entries(alsoSet)];
  const set = options.map(([name, one]) => optionText(name, one, reader)).join(' ');
  const effect = alsoSet['allowDataLoss'] === undefined ? effects[option] : effects['allowDataLoss'];
  return effect === undefined ? `add ${set}` : `${set}${effect}`;
}

/** `--take-fields=A --take-fields=B take over these fields …`, or `takeFields: ['A', 'B'] …`. All of them are needed. */
function takingRemedy(rules: readonly string[], reader: Reader): string {
  const set =
    reader === 'program'
      ? `takeFields: [${rules.map((rule) => `'${rule}'`).join(', ')}]`
      : rules.map((rule) => optionText('takeFields', rule, reader)).join(' ');
  return rules.length === 1
    ? `${set} takes over this field; with =leave behind it, the field is left to its manager`
    : `${set} together take over these fields; with =leave behind a rule, its field is left to its manager`;
}

function runText({ verb, arguments: words, namespace }: Extract<Remedy, { kind: 'run' }>): string {
  const where = namespace === undefined ? [] : ['-n', namespace];
  return ['tshelm', ...[verb, ...words, ...where].map(shellWord)].join(' ');
}

function valueRemedy(remedy: Extract<Remedy, { kind: 'set-value' }>, reader: Reader): string {
  const { keys, value, makes, allowed, ownFile } = remedy;
  if (value !== undefined)
    return `set ${keysText(keys)} to ${['true', 'false'].includes(value) ? value : `"${value}"`}${makes === undefined ? '' : `, which makes it "${makes}"`}`;
  const own = ownFile === undefined ? ' with -f, with --set, or in values.yaml' : ` in ${ownFile} or with --set`;
  const asked = allowed === undefined ? '' : `: the schema asks for ${allowedText(allowed)}`;
  return `set ${keysText(keys)}${reader === 'program' ? '' : own}${asked}`;
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
    pattern === undefined ? [] : `that matches ${pattern}`,
    minimum === undefined ? [] : `of at least ${minimum}`,
    maximum === undefined ? [] : `of at most ${maximum}`,
    minLength === undefined ? [] : `of at least ${minLength} characters`,
  ].flat();
  const type = types.map((name) => `${/^[aio]/.test(name) ? 'an' : 'a'} ${name}`).join(' or ') || 'a value';
  const what = choice === undefined ? type : `one of ${choice.join(', ')}`;
  return `${[what, limits.join(' and ')].filter((part) => part !== '').join(' ')}${example === undefined ? '' : `, such as ${example}`}`;
}

/** What an option does about the problem. */
const effects: Readonly<Record<string, string>> = {
  allowDataLoss: ' deletes it with its data',
  allowLostOrder: ' deploys it in the order that is left',
  forceConflicts: ' takes over the fields',
  forceReplace: ' deletes and recreates it',
  replaceImmutable: ' deletes and recreates it',
  replaceObjects: ' deletes and recreates it',
  createNamespace: ' creates the namespace of the release',
  skipSchemaValidation: ' goes on without checking values',
  takeOwnership: ' takes it over',
  trimRecord: ' leaves out files that templates never read',
  staleAfterMs: ' takes it over sooner, if the run that began it is dead',
  waitLockMs: ' waits for it to finish',
  'cluster.context': ' chooses another cluster',
  'cluster.kubeconfig': ' chooses another cluster',
};

/** A number or a switch in quotes is one without them; a text goes into quotes. */
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

function nameRemedy({ name, instead, of, isGuess }: Extract<Remedy, { kind: 'use-name' }>): string {
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
      return `provide a volume of its size, access mode and storage class; kubectl describe pvc ${name} says what is missing`;
    case 'read-log':
      return 'read the log of the program: the program itself returns the error that the probe reports';
    case 'fix-program':
      return 'make the program use less memory';
    case 'ask-for-rights':
      return `ask for the right to ${name}`;
    case 'check-registry':
      return `check the registry of ${name || 'the image'}`;
    case 'fix-dns':
      return `correct the name ${name}, or add it to the cluster's DNS`;
    case 'decrypt-value':
      return `decrypt it with sops, or put it in a file of values that sops encrypts as a whole, which is decrypted; to deploy it as it is, annotate the object with ${name}: keep`;
    default:
      return what satisfies never;
  }
}
