import { describe, expect, test } from 'vitest';
import { GoError, type GoMap } from '../../src/go/value.ts';
import { type FetchObject, renderWithLookups } from '../../src/render/lookup.ts';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { chartOf } from './chart-text.ts';

const objects: Readonly<Record<string, string>> = {
  'v1 Secret ns first': 'data: {next: second}',
  'v1 Secret ns second': 'data: {next: third}',
  'v1 Secret ns third': 'data: {password: secret}',
  'v1 Secret ns ': 'items: [{metadata: {name: first}}, {metadata: {name: second}}]',
};

function countingCluster() {
  const asked: string[] = [];
  const fetch: FetchObject = async (...question) => {
    const key = question.join(' ');
    asked.push(key);
    if (question[1] === 'Forbidden') throw new GoError('secrets is forbidden');
    return objects[key] === undefined ? undefined : readYamlMap(objects[key]);
  };
  return { asked, fetch };
}

async function render(template: string) {
  const { asked, fetch } = countingCluster();
  const chart = await chartOf({ 'templates/a.yaml': template });
  const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };
  const { manifests } = await renderRelease(prepareChart(chart, new Map()), new Map(), { release, fetchObject: fetch });
  return { text: manifests[0]?.text ?? '', asked };
}

describe('lookup in templates', () => {
  test.each<[string, string, string, string[]]>([
    ['an object', '{{ (lookup "v1" "Secret" "ns" "third").data.password }}', 'secret', ['v1 Secret ns third']],
    ['nothing', '{{ lookup "v1" "Secret" "ns" "nope" | toJson }}', '{}', ['v1 Secret ns nope']],
    ['a list', '{{ len (lookup "v1" "Secret" "ns" "").items }}', '2', ['v1 Secret ns ']],
    [
      'a lookup by the answer of another',
      `{{ $a := lookup "v1" "Secret" "ns" "first" }}{{ $b := lookup "v1" "Secret" "ns" $a.data.next }}{{ $b.data.next }}`,
      'third',
      ['v1 Secret ns first', 'v1 Secret ns second'],
    ],
    [
      'the same object twice is fetched once, and fresh each time',
      `{{ $a := lookup "v1" "Secret" "ns" "third" }}{{ $_ := set $a.data "password" "changed" }}{{ (lookup "v1" "Secret" "ns" "third").data.password }}`,
      'secret',
      ['v1 Secret ns third'],
    ],
  ])('%s', async (_rule, template, text, questions) => {
    const rendered = await render(`a: ${template}`);
    expect([rendered.text, rendered.asked]).toEqual([`a: ${text}`, questions]);
  });

  test('what the cluster refuses is an error of the template', async () => {
    await expect(render('a: {{ lookup "v1" "Forbidden" "ns" "x" }}')).rejects.toThrow(
      'template: web/templates/a.yaml:1:6: executing "web/templates/a.yaml" at <lookup "v1" "Forbidden" "ns" "x">: error calling lookup: secrets is forbidden',
    );
  });

  test('values that a pass changed are not seen by the next', async () => {
    const template =
      'a: {{ .Values.n | default "unset" }}{{ $_ := set .Values "n" "set" }}{{ lookup "v1" "Secret" "ns" "x" | len }}';
    expect((await render(template)).text).toBe('a: unset0');
  });
});

test('questions of one pass are asked together', async () => {
  let open = 0;
  let together = 0;
  const fetch: FetchObject = async () => {
    open += 1;
    together = Math.max(together, open);
    await Promise.resolve();
    open -= 1;
    return new Map();
  };
  await renderWithLookups((lookup) => ['a', 'b', 'c'].map((name) => lookup('v1', 'Secret', 'ns', name)), fetch);
  expect(together).toBe(3);
});

test('a lookup that never asks the same question twice is given up', async () => {
  let count = 0;
  const render = renderWithLookups(
    (lookup) => lookup('v1', 'Secret', 'ns', `random-${count++}`) as GoMap,
    async () => undefined,
  );
  await expect(render).rejects.toMatchObject({ code: 'endless-lookup' });
});
