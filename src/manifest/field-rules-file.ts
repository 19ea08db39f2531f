import { TshelmError } from '../support/errors.ts';
import { isObject } from '../support/json.ts';
import { nearest } from '../support/near.ts';
import { lineOfKeys, readOwnYaml, YamlError } from '../yaml/index.ts';
import { readFieldRule } from './field-rules.ts';

/** Rules as a file or a stack has them: in the form of the flag, or taken apart. */
const ruleKeys = ['objects', 'path', 'manager', 'action'];

/**
 * The rules in a YAML or JSON text, `fields: [...]`, each in the form of the flag; `name` is what messages call the file.
 * Errors: `field-rule-invalid` with the line.
 */
export function readFieldRulesFile(text: string, name: string): readonly string[] {
  const content = parsed(text, name);
  const line = (...keys: readonly string[]): string => {
    const found = lineOfKeys(text, keys);
    return found === undefined ? name : `${name}:${found}`;
  };
  if (!isObject(content) || Object.keys(content).some((key) => key !== 'fields'))
    throw invalid(name, 'a file of rules has one key, fields, with a list of rules');
  return fieldRuleTexts(content['fields'], (index) =>
    index === undefined ? line('fields') : line('fields', String(index)),
  );
}

/** The same of a list that is read already. */
export function fieldRuleTexts(list: unknown, placeOf: (index?: number) => string): readonly string[] {
  if (!Array.isArray(list)) throw invalid(placeOf(), 'fields is a list of rules');
  return list.map((one: unknown, index) => {
    const place = placeOf(index);
    const text = typeof one === 'string' ? one : assembled(one, place);
    readFieldRule(text, { place });
    return text;
  });
}

function assembled(one: unknown, place: string): string {
  if (!isObject(one)) throw invalid(place, 'a rule is a text such as Deployment/web:spec.replicas=leave, or a mapping');
  const unknown = Object.keys(one).find((key) => !ruleKeys.includes(key));
  if (unknown !== undefined) {
    const meant = nearest(unknown, ruleKeys);
    throw invalid(
      place,
      `a rule has no key ${unknown}; ${meant === undefined ? `its keys are ${ruleKeys.join(', ')}` : `did you mean ${meant}?`}`,
    );
  }
  const { objects, path, manager = '', action = '' } = one;
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (!isText(objects) || !isText(path))
    throw invalid(place, 'a rule needs objects, such as Deployment/web, and a path, such as spec.replicas');
  if (!isText(manager) || !isText(action)) throw invalid(place, 'the manager and the action of a rule are texts');
  return `${objects}:${path}${manager === '' ? '' : `@${manager}`}${action === '' ? '' : `=${action}`}`;
}

function parsed(text: string, name: string): unknown {
  try {
    return readOwnYaml(text);
  } catch (cause) {
    if (cause instanceof YamlError) throw invalid(name, cause.message, cause);
    throw cause;
  }
}

const invalid = (place: string, why: string, cause?: unknown): TshelmError<'field-rule-invalid'> =>
  new TshelmError('field-rule-invalid', { message: `${place}: ${why}`, details: {}, cause });
