import { describe, expect, test } from 'vitest';
import { relevantLine, relevantLines } from '../../../src/problem/foreign/program-log.ts';

const node = `node:events:497
      throw er; // Unhandled 'error' event
      ^

Error: connect ECONNREFUSED 10.96.0.12:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16)
Emitted 'error' event on Client instance at:
    at Socket.emit (node:events:519:28) {
  errno: -111,
  code: 'ECONNREFUSED',
}

Node.js v20.11.1`;

const java = `Exception in thread "main" org.postgresql.util.PSQLException: The connection attempt failed.
\tat org.postgresql.Driver.connect(Driver.java:264)
Caused by: java.net.UnknownHostException: db.shop.svc
\tat java.base/sun.nio.ch.NioSocketImpl.connect(NioSocketImpl.java:567)
\t... 23 more`;

const python = `Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    connect()
psycopg2.OperationalError: FATAL: password authentication failed for user "shop"`;

const go = `panic: runtime error: invalid memory address or nil pointer dereference

goroutine 1 [running]:
main.main()
\t/app/main.go:10 +0x1d
exit status 2`;

describe('the line of a log that tells why its program ended', () => {
  test.each([
    ['Node', node, 'Error: connect ECONNREFUSED 10.96.0.12:5432', false, true],
    ['Java', java, 'Caused by: java.net.UnknownHostException: db.shop.svc', false, true],
    ['Python', python, 'psycopg2.OperationalError: FATAL: password authentication failed for user "shop"', true, true],
    ['Go', go, 'panic: runtime error: invalid memory address or nil pointer dereference', false, true],
    [
      'a server',
      'starting\n[emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)\nbye',
      '[emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)',
      false,
      true,
    ],
    ['one that names no error', 'starting\nport is taken\n\n', 'port is taken', true, false],
    [
      'an error of several lines',
      'starting\nConfigError: no configuration\n  missing env ISSUER_URL: no identity provider\n    at load (a.ts:57:9)\nbye',
      'ConfigError: no configuration missing env ISSUER_URL: no identity provider',
      false,
      true,
    ],
    [
      'one that tells what it does next',
      'WARN broker: attempt 4 of 4 failed: lookup broker: no such host\nERROR broker: giving up after 4 attempts\nbye',
      'WARN broker: attempt 4 of 4 failed: lookup broker: no such host',
      false,
      true,
    ],
    ['one that only tells what it does next', 'starting\nERROR: giving up', 'ERROR: giving up', true, true],
    ['nothing but frames', '    at a (b.js:1:1)\n}', '}', true, false],
  ])('%s', (_program, log, text, isLast, isError) => {
    expect(relevantLine(log.split('\n'))).toMatchObject({ text, isLast, isError });
  });

  test('an empty log tells nothing', () => {
    expect(relevantLine(['', ' '])).toBeUndefined();
  });
});

describe('the lines of a log that tell', () => {
  const frames = (count: number) => Array.from({ length: count }, (_, index) => `  at f${index} (a.js:${index}:1)`);
  test('the telling one, the first error and the last ones, without the stack', () => {
    const log = [
      'start',
      'Error: no session',
      ...frames(9),
      'Caused by: Error: no host db',
      ...frames(5),
      'bye',
      'ended',
    ];
    expect(relevantLines(log, 6)).toEqual([
      'Error: no session',
      '… 9 lines',
      'Caused by: Error: no host db',
      '… 5 lines',
      'bye',
      'ended',
    ]);
    expect(relevantLines(log, 2)).toEqual(['Caused by: Error: no host db', '… 7 lines']);
  });
  test('a short log is shown whole', () =>
    expect(relevantLines(['a', '  at b', 'c'], 3)).toEqual(['a', '  at b', 'c']));
});
