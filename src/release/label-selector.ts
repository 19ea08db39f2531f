import { TshelmError } from '../support/errors.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

/**
 * Reads a label selector as Kubernetes writes it (labels.Parse): `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`,
 * joined by commas. Errors: `invalid-selector`.
 */
export function parseSelector(selector: string): Requirement {
  const requirements = splitRequirements(selector).map((text) => parseRequirement(text, selector));
  return (labels) => requirements.every((holds) => holds(labels));
}

/** Commas inside parentheses belong to a list of values. */
const splitRequirements = (selector: string): readonly string[] =>
  selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const requirementForms: readonly (readonly [RegExp, (match: RegExpMatchArray) => Requirement])[] = [
  [/^(\S+)\s+in\s*\(([^)]*)\)$/, ([, key, values]) => isOneOf(key, values)],
  [/^(\S+)\s+notin\s*\(([^)]*)\)$/, ([, key, values]) => not(isOneOf(key, values))],
  [/^([^\s!=]+)\s*!=\s*([^\s!=]*)$/, ([, key, value]) => not(isOneOf(key, value))],
  [/^([^\s!=]+)\s*==?\s*([^\s!=]*)$/, ([, key, value]) => isOneOf(key, value)],
  [/^!\s*([^\s!=]+)$/, ([, key]) => not(exists(key))],
  [/^([^\s!=()]+)$/, ([, key]) => exists(key)],
];

function parseRequirement(text: string, selector: string): Requirement {
  for (const [form, requirement] of requirementForms) {
    const match = text.match(form);
    if (match !== null) return requirement(match);
  }
  throw new TshelmError('invalid-selector', {
    message: `unable to parse the label selector "${selector}" at "${text}"; write it like "team=a,tier in (web,db)"`,
    details: { selector },
  });
}

const not =
  (requirement: Requirement): Requirement =>
  (labels) =>
    !requirement(labels);
const exists =
  (key = ''): Requirement =>
  (labels) =>
    Object.hasOwn(labels, key);
function isOneOf(key = '', values = ''): Requirement {
  const wanted = values.split(',').map((value) => value.trim());
  return (labels) => Object.hasOwn(labels, key) && wanted.includes(labels[key] ?? '');
}
