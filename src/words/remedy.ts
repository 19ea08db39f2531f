import { pathText } from '../manifest/field-path.ts';
import type { Remedy } from '../problem/remedy.ts';
import { unreachable } from '../support/errors.ts';
import { typeText } from './refusal.ts';
import { keysText } from './value.ts';
import { workloadRemedyText } from './workload-remedy.ts';

/** Who reads a remedy: flags are for a terminal, options for a program. */
type Reader = 'terminal' | 'program';

/** What to do, in one line, with the flags of the command line. */
export const remedyText = (remedy: Remedy): string => textFor(remedy, 'terminal');

/** The same with the options of the library. */
export const remedyForPrograms = (remedy: Remedy): string => textFor(remedy, 'program');

function textFor(remedy: Remedy, reader: Reader): string {
  switch (remedy.kind) {
    case 'sentence':
      return remedy.text;
    case 'set-option': {
      const options = [[remedy.option, remedy.value] as const, ...Object.entries(remedy.alsoSet ?? {})];
      const set = options.map(([option, value]) => optionText(option, value, reader)).join(' ');
      return `${set}${effects[remedy.option] ?? ''}`;
    }
    case 'set-value': {
      const makes = remedy.makes === undefined ? '' : `, which makes it "${remedy.makes}"`;
      return `set ${keysText(remedy.keys)}${remedy.value === undefined ? '' : ` to "${remedy.value}"`}${makes}`;
    }
    case 'change-field': {
      const { path, instead, value, or, how } = remedy;
      if (how === 'rename') return `correct the name of ${pathText(path)}, or how far it is indented`;
      if (value === undefined || instead === undefined) return workloadRemedyText(remedy);
      return `write ${or === undefined ? `"${value}"` : `"${value}" or "${or}"`} instead of "${instead}"`;
    }
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
      return `kubectl delete ${kind.toLowerCase()} ${name}${namespace === '' ? '' : ` -n ${namespace}`} lets the next run create it`;
    }
    case 'use-name':
      return remedy.isGuess ? `did you mean ${remedy.name} instead of ${remedy.instead}?` : workloadRemedyText(remedy);
    case 'create-object':
    case 'outside':
      return workloadRemedyText(remedy);
    case 'change-text':
      return `write ${remedy.to} instead of ${remedy.from}`;
    case 'run':
      return `tshelm ${[remedy.verb, ...remedy.arguments].join(' ')}`;
    default:
      return unreachable(remedy);
  }
}

/** What an option does about the problem. */
const effects: Readonly<Record<string, string>> = {
  forceConflicts: ' takes over the fields',
  forceReplace: ' deletes and recreates it',
  createNamespace: ' creates the namespace of the release',
};

/** `--server-side=false`, or `serverSide: false`. */
function optionText(option: string, value: string | undefined, reader: Reader): string {
  if (reader === 'program') return `${option}: ${value ?? 'true'}`;
  const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? flag : `${flag}=${value}`;
}

/** A number or a switch in quotes is one without them; a text goes into quotes. */
function typeRemedy({ path, keys, type, value = '' }: Extract<Remedy, { kind: 'change-type' }>): string {
  const what = keys === undefined ? pathText(path) : keysText(keys);
  const isMeant = type === 'number' ? /^-?\d+(?:\.\d+)?$/.test(value) : /^(?:true|false)$/.test(value);
  const way =
    type === 'string'
      ? ': put it in quotes, in a template with {{ … | quote }}'
      : (type === 'number' || type === 'boolean') && isMeant
        ? `: write ${value} without quotes`
        : '';
  return `${what} must be ${typeText[type]}${way}`;
}
