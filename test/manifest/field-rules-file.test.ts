import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readJsonDocument } from '../../src/chart/schema/json-document.ts';
import { validateAgainstSchema } from '../../src/chart/schema/validate.ts';
import type { GoMap } from '../../src/go/value.ts';
import { readFieldRulesFile } from '../../src/manifest/field-rules-file.ts';
import { readPlainYaml } from '../../src/yaml/index.ts';

const whole = `fields:
  - Deployment:spec.replicas=leave
  - 'Deployment/web:spec.template.spec.containers[name=web].image@keel=leave'
  - objects: ValidatingWebhookConfiguration/*
    path: webhooks[*].clientConfig.caBundle
    manager: cert-manager-*
    action: ignore
  - {objects: ConfigMap/a, path: data}
`;

test('a file has rules as texts or taken apart', () => {
  expect(readFieldRulesFile(whole, 'fields.yaml')).toEqual([
    'Deployment:spec.replicas=leave',
    'Deployment/web:spec.template.spec.containers[name=web].image@keel=leave',
    'ValidatingWebhookConfiguration/*:webhooks[*].clientConfig.caBundle@cert-manager-*=ignore',
    'ConfigMap/a:data',
  ]);
});

test.each([
  ['rules: []', 'fields.yaml: a file of rules has one key, fields, with a list of rules'],
  ['- a', 'fields.yaml: a file of rules has one key, fields, with a list of rules'],
  ['fields: x', 'fields.yaml:1: fields is a list of rules'],
  ['fields:\n  - A:b\n  - A:b=tak', 'fields.yaml:3: "A:b=tak" is not a valid field rule: the action is one of'],
  ['fields:\n  - {objects: A}', 'fields.yaml:2: a rule needs objects, such as Deployment/web, and a path'],
  ['fields:\n  - {objects: A, paht: b}', 'fields.yaml:2: a rule has no key paht; did you mean path?'],
  ['fields:\n  - 3', 'fields.yaml:2: a rule is a text such as Deployment/web:spec.replicas=leave, or a mapping'],
  ['fields: [', 'fields.yaml: '],
])('%j is refused with its line', (text, message) => {
  let thrown = '';
  try {
    readFieldRulesFile(text, 'fields.yaml');
  } catch (error) {
    thrown = (error as Error).message;
  }
  expect(thrown.startsWith(message) ? message : thrown).toBe(message);
});

test('what docs/fields.schema.json allows is what is read', async () => {
  const schema = readFileSync('docs/fields.schema.json');
  const mistakeOf = (content: unknown) =>
    validateAgainstSchema(schema, readJsonDocument(JSON.stringify(content)) as GoMap, {
      notify: () => {},
      download: undefined,
    });
  expect(await mistakeOf(readPlainYaml(whole))).toBe('');
  expect(await mistakeOf({ rules: [] })).not.toBe('');
  expect(await mistakeOf({ fields: [{ objects: 'a' }] })).not.toBe('');
  expect(await mistakeOf({ fields: [{ objects: 'a', path: 'b', action: 'x' }] })).not.toBe('');
  expect(await mistakeOf({ fields: ['Deployment'] })).not.toBe('');
});
