import { type Json, type JsonObject, textMap, textOf } from '../../../support/json.ts';
import { type FieldProblem, invalidValue, required, tooLong } from '../../status.ts';
import { invalidText, isEmpty, requiredIf } from '../checks.ts';
import { configKeyProblem } from '../names.ts';
import type { Check, StructRules } from '../struct.ts';

/** k8s.io/kubernetes/pkg/apis/core/validation: ValidateSecret, ValidateConfigMap. */

const maxBytes = 1024 * 1024;

const keys = (value: Json | undefined, path: string): FieldProblem[] =>
  Object.keys(textMap(value)).flatMap((key) => invalidText(`${path}[${key}]`, key, configKeyProblem(key)));

const decoded = (text: string): string => Buffer.from(text, 'base64').toString();

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(decoded(text));
    return undefined;
  } catch {
    // Go has words of its own for what is not JSON.
    return 'invalid character';
  }
}

/** The keys of a Secret's type, and what their values must be. */
function typeProblems(type: string, data: Readonly<Record<string, string>>): FieldProblem[] {
  const missing = (...names: string[]): FieldProblem[] =>
    names.flatMap((name) => requiredIf(data[name] === undefined, `data[${name}]`));
  const json = (name: string): FieldProblem[] => {
    const text = data[name];
    const problem = text === undefined ? undefined : jsonProblem(text);
    if (text === undefined) return [required(`data[${name}]`)];
    return problem === undefined ? [] : [invalidValue(`data[${name}]`, '<secret contents redacted>', problem)];
  };
  switch (type) {
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    case 'kubernetes.io/dockerconfigjson':
      return json('.dockerconfigjson');
    case 'kubernetes.io/dockercfg':
      return json('.dockercfg');
    case 'kubernetes.io/ssh-auth':
      return requiredIf(isEmpty(data['ssh-privatekey']), 'data[ssh-privatekey]');
    case 'kubernetes.io/basic-auth':
      return data.username === undefined && data.password === undefined ? missing('username', 'password') : [];
    default:
      return [];
  }
}

const secret: Check = (value) => {
  const { data, type, metadata } = value as JsonObject;
  const given = textMap(data);
  const bytes = Object.values(given).reduce((sum, text) => sum + Math.floor((text.length * 3) / 4), 0);
  const account = textMap((metadata as JsonObject | undefined)?.annotations)['kubernetes.io/service-account.name'];
  const isToken = type === 'kubernetes.io/service-account-token';
  return [
    ...keys(data, 'data'),
    ...(bytes > maxBytes ? [tooLong('data', maxBytes)] : []),
    ...requiredIf(isToken && isEmpty(account), 'metadata.annotations[kubernetes.io/service-account.name]'),
    ...typeProblems(textOf(type) ?? '', given),
  ];
};

const configMap: Check = (value) => {
  const { data, binaryData } = value as JsonObject;
  const texts = [data, binaryData].flatMap((each) => Object.values(textMap(each)));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const twice = Object.keys(textMap(data)).filter((key) => textMap(binaryData)[key] !== undefined);
  return [
    ...keys(data, 'data'),
    ...twice.map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...keys(binaryData, 'binaryData'),
    ...(bytes > maxBytes ? [tooLong('', maxBytes)] : []),
  ];
};

export const dataStructs: Readonly<Record<string, StructRules>> = {
  Secret: { '': secret },
  ConfigMap: { '': configMap },
};
