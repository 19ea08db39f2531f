import { describe, expect, test } from 'vitest';
import { programCall } from '../../src/plugin/run.ts';

const variables = { HELM_PLUGIN_DIR: '/p', NAME: 'me' };
const on = (os: string, arch: string) => ({ variables, platform: { os, arch } });

describe('the command that fits this system best', () => {
  const commands = [
    { command: 'any', args: [] },
    { os: 'linux', command: 'linux', args: [] },
    { os: 'linux', arch: 'arm64', command: 'linux-arm', args: [] },
    { arch: 'amd64', command: 'amd', args: [] },
  ];
  test.each([
    ['linux', 'arm64', 'linux-arm'],
    ['linux', 'amd64', 'linux'],
    ['LINUX', 'ARM64', 'linux-arm'],
    ['darwin', 'amd64', 'any'],
  ])('%s %s', (os, arch, program) => expect(programCall(commands, on(os, arch)).program).toBe(program));

  test('none is an error', () => {
    const only = [{ os: 'windows', command: 'a', args: [] }];
    expect(() => programCall(only, on('linux', 'amd64'))).toThrow('no plugin command is applicable');
  });
});

test('variables are replaced, the words of the command come first, those of the user last', () => {
  const commands = [
    { command: '${HELM_PLUGIN_DIR}/run $NAME', args: ['$NAME', '$NOPE', '$$', 'a$', '[$@]', '${', '${}'] },
  ];
  const extra = ['$NAME'];
  expect(programCall(commands, { variables, extra })).toEqual({
    program: '/p/run',
    args: ['me', 'me', '', '', 'a$', '[]', '', '', '$NAME'],
  });
  const plain = programCall(commands, { variables, expandsArgs: false });
  expect(plain).toEqual({ program: '/p/run', args: ['$NAME', '$NAME', '$NOPE', '$$', 'a$', '[$@]', '${', '${}'] });
});
