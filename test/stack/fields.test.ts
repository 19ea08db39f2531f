import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => (folder = openStackFolder()));
afterEach(() => folder.remove());

const ofRelease = (...rules: readonly string[]): string =>
  rules.length === 0 ? '' : `    fields:\n${rules.map((rule) => `      - ${rule}\n`).join('')}`;

/** Deploys `v`, and says what then differs from the record, and why. */
async function deployed(v: number, fields: string, ofFile = ''): Promise<string> {
  folder.write('helmfile.yaml', `${ofFile}releases:\n${releaseText('web', fields).replace('v: 1', `v: ${v}`)}`);
  expect(await folder.stack('sync')).toMatchObject({ code: 0 });
  const { code, stdout } = await folder.stack('drift', '-o', 'json', '--exit-code');
  expect(code).toBe(0);
  const [found] = JSON.parse(stdout) as [{ objects: { fields: { live: string; explanation: string }[] }[] }];
  return found.objects.flatMap(({ fields: all }) => all.map((one) => `${one.live}: ${one.explanation}`)).join();
}

test.each([
  ['in the form of the flag', ofRelease('ConfigMap/web:data.v=leave'), ''],
  ['taken apart', ofRelease('{objects: ConfigMap, path: data.v, action: leave}'), ''],
  ['of the whole file', '', 'fields:\n  - ConfigMap:data.v=leave\n'],
])('a field is left as long as a rule says so: %s', async (_what, fields, ofFile) => {
  expect(await deployed(1, fields, ofFile)).toBe('');
  expect(await deployed(2, fields, ofFile)).toMatch(/^1: left to others \(ConfigMap.*:data\.v=leave\)$/);
  expect(await deployed(3, '')).toBe('');
});

test("a release's own rule decides after that of its file", async () => {
  const ofFile = "fields: ['*:data=leave']\n";
  expect(await deployed(1, '', ofFile)).toBe('');
  expect(await deployed(2, ofRelease('ConfigMap:data.v'), ofFile)).toBe('');
});

test.each([
  [ofRelease('ConfigMap:data.v=leav'), 'helmfile.yaml:6: fields[0]: "ConfigMap:data.v=leav" is not a valid field rule'],
  [
    ofRelease('ConfigMap:data.v', '{objekts: a}'),
    'helmfile.yaml:6: fields[1]: a rule has no key objekts; did you mean objects?',
  ],
  ['    fields: x\n', 'cannot unmarshal'],
])('a mistake is told with its place: %s', async (fields, message) => {
  folder.write('helmfile.yaml', `releases:\n${releaseText('web', fields)}`);
  for (const verb of ['sync', 'plan']) {
    const { code, stderr } = await folder.stack(verb);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) as unknown });
  }
});

test('build writes them', async () => {
  folder.write('helmfile.yaml', `releases:\n${releaseText('web', ofRelease('ConfigMap:data.v=leave'))}`);
  expect((await folder.stack('build')).stdout).toContain('- ConfigMap:data.v=leave');
});
