import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../src/cluster/http/exchange.ts';
import { askedPauseMs } from '../../../src/cluster/http/retry.ts';
import { Transport, type TransportOptions, warningsIn } from '../../../src/cluster/http/transport.ts';
import type { KubeconfigCluster, KubeconfigUser } from '../../../src/cluster/kubeconfig.ts';
import { systemTimers } from '../../../src/support/timers.ts';
import { type Answer, hangUp, json, protocols, refuse, type ScriptedServer } from '../scripted-server.ts';

describe.each(protocols)('by $protocol', ({ serve }) => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });

  interface Setup {
    readonly server: ScriptedServer;
    readonly transport: Transport;
    readonly slept: number[];
  }

  async function setUp(
    script: readonly Answer[],
    options: TransportOptions = {},
    cluster: Partial<KubeconfigCluster> = {},
    user: KubeconfigUser = {},
  ): Promise<Setup> {
    const server = await serve(...script);
    const slept: number[] = [];
    const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
    const transport = new Transport(server.access(cluster, user), { random: () => 1, sleep, ...options });
    opened.push(server, transport);
    return { server, transport, slept };
  }

  const get: ApiRequest = { method: 'GET', path: '/x', repeat: 'always' };
  const post: ApiRequest = { method: 'POST', path: '/x', body: {}, repeat: 'unprocessed' };
  const ok = json(200, { fine: true });

  test("the server's time of day is that of its last answer, and goes on", async () => {
    const dated = (date: string): Answer => json(200, {}, { date });
    const { transport } = await setUp([dated('Fri, 02 Jan 2026 03:04:05 GMT'), dated('Fri, 02 Jan 2026 04:00:00 GMT')]);
    expect(transport.serverTime()).toBeUndefined();
    await transport.send(get);
    expect(transport.serverTime()?.toISOString()).toMatch(/^2026-01-02T03:04:0/);
    await transport.send(get);
    expect(transport.serverTime()?.toISOString()).toMatch(/^2026-01-02T04:00:0/);
  });

  describe('what is sent again', () => {
    test.each([
      ['a read after 503', get, refuse(503, 'ServiceUnavailable', 'busy'), 200, [200]],
      ['a read after 429, when the server says', get, json(429, {}, { 'retry-after': '7' }), 200, [7000]],
      ['a create after 429', post, json(429, {}, { 'retry-after': '1' }), 200, [1000]],
      [
        'not a create after 503: it may have been carried out',
        post,
        refuse(503, 'ServiceUnavailable', 'busy'),
        503,
        [],
      ],
      [
        'a read after a webhook could not be called',
        get,
        refuse(500, 'InternalError', 'failed calling webhook "x"'),
        200,
        [200],
      ],
      ['a read after an error of nobody knows what', get, json(500, {}), 200, [200]],
      ['not what stays wrong', get, refuse(500, 'InternalError', '.typo: field not declared in schema'), 500, []],
      ['not a refusal', get, refuse(403, 'Forbidden', 'no'), 403, []],
    ] as const)('%s', async (_what, request, first, status, waits) => {
      const { transport, slept } = await setUp([first, ok]);
      expect((await transport.send(request)).status).toBe(status);
      expect(slept).toEqual(waits);
    });

    test('a read on a broken connection, once the server is known', async () => {
      const { transport, slept } = await setUp([ok, hangUp, ok]);
      await transport.send(get);
      expect((await transport.send(get)).status).toBe(200);
      expect(slept).toEqual([200]);
    });

    test('that the server has gone and come back is told', async () => {
      let now = 0;
      const told: boolean[] = [];
      const { transport } = await setUp([ok, hangUp, hangUp, hangUp, hangUp, hangUp, ok], {
        timers: { ...systemTimers, now: () => now },
        sleep: async (milliseconds) => void (now += milliseconds),
        onAbsence: ({ isOver }) => told.push(isOver),
      });
      await transport.send(get);
      await transport.send(get);
      expect(told).toEqual([false, true]);
    });

    test('no longer than for its limit, all requests together', async () => {
      let now = 0;
      const { server, transport } = await setUp([ok, hangUp], {
        timers: { ...systemTimers, now: () => now },
        sleep: async (milliseconds) => void (now += milliseconds),
      });
      await transport.send(get);
      now += 100_000;
      const callOff = transport.limitAbsence(5_000);
      await expect(transport.send(get)).rejects.toMatchObject({
        code: 'cluster-unreachable',
        message: expect.stringContaining('Get "http'),
      });
      expect(now).toBe(105_000);
      const { length } = server.seen;
      await expect(transport.send(get)).rejects.toMatchObject({ code: 'cluster-unreachable' });
      expect(server.seen).toHaveLength(length);
      callOff();
      await expect(transport.send(get)).rejects.toThrow();
      expect(now).toBeGreaterThan(105_000);
    });

    test('a server that never answers: one attempt, no longer than the limit, and a line says what is waited for', async () => {
      const silent: Answer = () => {};
      const news: string[] = [];
      const eager = {
        ...systemTimers,
        setTimeout: (run: () => void, delayMs: number) => systemTimers.setTimeout(run, delayMs / 1000),
      };
      const { server, transport } = await setUp([silent], { timers: eager, onAbsence: ({ text }) => news.push(text) });
      transport.limitAbsence(50);
      await expect(transport.send({ ...post, repeat: 'always' })).rejects.toThrow('no answer for 0.05 s');
      expect(server.seen).toHaveLength(1);
      expect(news).toEqual([`the API server ${new URL(server.url).host} has not answered for 5 s; still waiting`]);
    });

    test('a limit counts from when it is set, and anew once the server has answered', async () => {
      let now = 0;
      const { transport } = await setUp([ok, hangUp, hangUp, ok, hangUp, ok], {
        timers: { ...systemTimers, now: () => now },
        sleep: async () => void (now += 3_000),
      });
      await transport.send(get);
      const callOff = transport.limitAbsence(5_000);
      // Away for 6 s is too long, but for the limit that is set in the middle.
      await expect(transport.send(get)).rejects.toMatchObject({ code: 'cluster-unreachable' });
      callOff();
      transport.limitAbsence(5_000);
      await transport.send(get);
      await transport.send(get);
    });

    test('that changes alone get no answer is told, while questions are answered', async () => {
      let now = 0;
      const told: string[] = [];
      const bad: Answer = (response) => void response.writeHead(502).end();
      const { transport } = await setUp([ok, bad, ok, bad, ok, bad, ok, ok], {
        timers: { ...systemTimers, now: () => now },
        sleep: async () => {
          now += 1_500;
          await transport.send(get);
        },
        onAbsence: ({ text }) => told.push(text),
      });
      await transport.send(get);
      await transport.send({ ...get, method: 'PATCH' });
      expect(told).toEqual([
        'the API server does not answer: status 502; retrying',
        'the API server answers again, after 5 s',
      ]);
    });

    test('a read whose answer broke off', async () => {
      const half: Answer = (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"a":');
        setImmediate(() => response.socket?.destroy());
      };
      const { transport, slept } = await setUp([half, ok]);
      expect((await transport.send(get)).text).toBe('{"fine":true}');
      expect(slept).toEqual([200]);
    });

    test('not a create on a broken connection', async () => {
      const { transport } = await setUp([ok, hangUp, ok]);
      await transport.send(get);
      await expect(transport.send(post)).rejects.toThrow(
        /^kubernetes cluster unreachable: Post "https?:\/\/127\.0\.0\.1:/,
      );
    });

    test('a first read on a broken connection', async () => {
      const { transport, slept } = await setUp([hangUp, ok]);
      expect((await transport.send(get)).status).toBe(200);
      expect(slept).toEqual([200]);
    });

    test.each([
      ['too many requests: a minute', json(429, {}), 17, 60],
      ['unavailable: 20 seconds', refuse(503, 'ServiceUnavailable', 'busy'), 9, 20],
      ['a store that is down behind it: 6 seconds', refuse(500, 'InternalError', 'etcdserver: no leader'), 6, 6],
      [
        'an API server that knows no addresses for Services yet: 6 seconds',
        refuse(500, 'InternalError', 'failed to allocate a serviceIP for Service "web": range is full'),
        6,
        6,
      ],
      [
        'a webhook that is down: three times',
        refuse(
          500,
          'InternalError',
          'failed calling webhook "x": Post "https://x?timeout=10s": connect: connection refused',
        ),
        3,
        0.5,
      ],
      [
        'a webhook that took too long: once',
        refuse(
          500,
          'InternalError',
          'failed calling webhook "x": Post "https://x?timeout=10s": context deadline exceeded',
        ),
        1,
        0,
      ],
      ['an error of nobody knows what: three times', json(500, {}), 3, 0.5],
    ] as const)(
      'no longer than is likely to help, waiting longer each time: %s',
      async (_what, answer, times, seconds) => {
        const { transport, slept, server } = await setUp([answer]);
        await transport.send(get);
        expect(server.seen).toHaveLength(times);
        expect(slept.slice(0, 6)).toEqual([200, 400, 800, 1600, 3200, 5000].slice(0, Math.min(times - 1, 6)));
        const total = slept.reduce((sum, pause) => sum + pause, 0) / 1000;
        expect(total).toBeGreaterThanOrEqual(seconds);
        expect(total).toBeLessThan(seconds + 5);
      },
    );

    test('a connection that breaks: a minute once the server is known, three times before', async () => {
      const known = await setUp([ok, hangUp]);
      await known.transport.send(get);
      await expect(known.transport.send(get)).rejects.toThrow('connection reset by peer');
      expect(known.server.seen).toHaveLength(18);
      const unknown = await setUp([hangUp]);
      await expect(unknown.transport.send(get)).rejects.toThrow('connection reset by peer');
      expect(unknown.server.seen).toHaveLength(3);
    });

    test('a server that says nothing is asked three times', async () => {
      const { transport, server } = await setUp([ok, () => {}]);
      await transport.send(get);
      await expect(transport.send({ ...get, silenceMs: 30 })).rejects.toThrow('no answer for 0.03 s');
      expect(server.seen).toHaveLength(4);
    });

    test('an answer says since when an earlier attempt may have been carried out', async () => {
      const { transport } = await setUp([ok, hangUp, json(429, {}), ok]);
      expect((await transport.send(get)).inDoubtForMs).toBeUndefined();
      expect((await transport.send(get)).inDoubtForMs).toBeGreaterThan(0);
      expect((await transport.send(get)).inDoubtForMs).toBeUndefined();
    });
  });

  test.each([
    ['3', 3000],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 5000],
    ['99999', 60_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('Retry-After %s is %s ms', (header, milliseconds) => expect(askedPauseMs(header, 0)).toBe(milliseconds));

  test('an answer may be compressed', async () => {
    const { transport, server } = await setUp([
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}')),
    ]);
    expect((await transport.send(get)).text).toBe('{"a":1}');
    expect(server.seen[0]?.headers['accept-encoding']).toBe('gzip');
  });

  test('disable-compression asks for none', async () => {
    const { transport, server } = await setUp([ok], {}, { 'disable-compression': true });
    await transport.send(get);
    expect(server.seen[0]?.headers['accept-encoding']).toBeUndefined();
  });

  test('the path of the server address stays before the request path', async () => {
    const server = await serve(ok);
    const transport = new Transport(server.access({ server: `${server.url}/k8s/clusters/c-1/` }));
    opened.push(server, transport);
    await transport.send({ ...get, query: { labelSelector: 'a=b,c in (d)', limit: undefined } });
    const { pathname, searchParams } = new URL(server.seen[0]?.url ?? '', server.url);
    expect(pathname).toBe('/k8s/clusters/c-1/x');
    expect([...searchParams]).toEqual([['labelSelector', 'a=b,c in (d)']]);
  });

  test('a server that says nothing is given up', async () => {
    const { transport } = await setUp([() => {}]);
    await expect(transport.send({ ...get, silenceMs: 30 })).rejects.toThrow('no answer for 0.03 s');
  });

  test('a server that stops in the middle of its answer is given up', async () => {
    const { transport } = await setUp([(response) => void response.writeHead(200).write('{"a":')]);
    await expect(transport.send({ ...get, silenceMs: 30 })).rejects.toThrow('no answer for 0.03 s');
  });

  test('a signal ends a request with its reason', async () => {
    const { transport } = await setUp([() => {}]);
    const controller = new AbortController();
    const sent = transport.send({ ...get, signal: controller.signal });
    controller.abort(new Error('stopped by the user'));
    await expect(sent).rejects.toThrow('stopped by the user');
  });

  test('an interruption lets a change end that the server has begun, and ends a read at once', async () => {
    const stop = new AbortController();
    const { transport } = await setUp([
      (response) => {
        stop.abort(new Error('stopped by the user'));
        setImmediate(() => json(200, { fine: true })(response, {} as never));
      },
    ]);
    const [read, change] = await Promise.allSettled([
      transport.send({ ...get, path: '/slow', signal: stop.signal }),
      transport.send({ ...post, method: 'PATCH', signal: stop.signal }),
    ]);
    expect(change).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    expect(read).toMatchObject({ status: 'rejected', reason: { message: 'stopped by the user' } });
    await expect(transport.send({ ...post, signal: stop.signal })).rejects.toThrow('stopped by the user');
  });

  test('nobody listens there: Go’s words, and what to do when the address is a guess', async () => {
    const server = await serve(ok);
    await server.close();
    const transport = new Transport({ ...server.access(), isGuess: true });
    opened.push(transport);
    await expect(transport.send({ ...get, path: '/version' })).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: `kubernetes cluster unreachable: Get "${server.url}/version": dial tcp ${new URL(server.url).host}: connect: connection refused; no kubeconfig was found: set KUBECONFIG, or name a kubeconfig or an API server`,
    });
  });

  test('no more calls run at once than allowed', async () => {
    let running = 0;
    let most = 0;
    const slow: Answer = (response, request) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running -= 1;
        ok(response, request);
      }, 2);
    };
    const { transport } = await setUp([slow], { maxConnections: 3 });
    await Promise.all(Array.from({ length: 20 }, () => transport.send(get)));
    expect(most).toBe(3);
  });

  test('a redirect is told with where it leads to', async () => {
    const { transport } = await setUp([json(302, {}, { location: 'https://login.example.com/' })]);
    await expect(transport.send(get)).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringMatching(/"http.*\/x".* 302.* "https:\/\/login.example.com\/"/),
    });
  });

  describe('a redirect that keeps the method', () => {
    const to = (status: number, location: string): Answer => json(status, {}, { location });
    const patch: ApiRequest = { method: 'PATCH', path: '/x', body: { a: 1 }, repeat: 'always' };
    const whoAsks: KubeconfigUser = { token: 't', as: 'boss' };

    test.each([307, 308])('%i is followed on the same server with the same body and the same user', async (status) => {
      const { server, transport } = await setUp([to(status, '/y/z?force=true'), ok], {}, {}, whoAsks);
      expect((await transport.send(patch)).status).toBe(200);
      const [, second] = server.seen;
      expect(second).toMatchObject({ method: 'PATCH', url: '/y/z?force=true', body: '{"a":1}' });
      expect(second?.headers).toMatchObject({ authorization: 'Bearer t', 'impersonate-user': 'boss' });
    });

    test('another server is not told who asks', async () => {
      const other = await setUp([ok]);
      const { server, transport } = await setUp([to(307, `${other.server.url}/y`)], {}, {}, whoAsks);
      expect((await transport.send(patch)).status).toBe(200);
      expect(server.seen[0]?.headers).toHaveProperty('authorization');
      expect(other.server.seen).toMatchObject([{ method: 'PATCH', url: '/y', body: '{"a":1}' }]);
      expect(other.server.seen[0]?.headers).not.toHaveProperty('authorization');
      expect(other.server.seen[0]?.headers).not.toHaveProperty('impersonate-user');
    });

    test('a circle ends with where it leads to', async () => {
      const { server, transport } = await setUp([to(307, '/x')]);
      await expect(transport.send(get)).rejects.toThrow(/ 307.* "\/x"/);
      expect(server.seen).toHaveLength(11);
    });

    test.each(['file:///etc/passwd', 'http://'])('the address %j is not followed', async (location) => {
      const { transport } = await setUp([to(307, location)]);
      await expect(transport.send(get)).rejects.toMatchObject({ code: 'cluster-unreachable' });
    });

    test('a watch is followed too', async () => {
      const { transport } = await setUp([to(307, '/y'), (response) => response.end('{}')]);
      const { open } = await transport.stream(get);
      open?.stop();
      expect(open).toBeDefined();
    });
  });

  test('the name of an encoding is read in any case', async () => {
    const zipped: Answer = (response) => response.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync('{}'));
    const { transport } = await setUp([zipped]);
    expect((await transport.send(get)).text).toBe('{}');
  });

  test('every attempt is reported, without secrets', async () => {
    const reports: unknown[] = [];
    const { transport } = await setUp(
      [refuse(503, 'ServiceUnavailable', 'busy'), ok],
      { onRequest: ({ elapsedMs: _elapsed, ...report }) => reports.push(report) },
      {},
      { token: 'secret' },
    );
    await transport.send(get);
    expect(reports).toEqual([
      { method: 'GET', path: '/x', status: 503, attempt: 1 },
      { method: 'GET', path: '/x', status: 200, attempt: 2 },
    ]);
  });

  test('warnings of the server are passed on, each once', async () => {
    const warnings: string[] = [];
    const warned = json(200, {}, { warning: ['299 - "old \\"v1\\""', '299 - "typo"'] });
    const { transport } = await setUp([warned], { onWarning: (text) => warnings.push(text) });
    await transport.send(get);
    await transport.send(get);
    expect(warnings).toEqual(['old "v1"', 'typo']);
  });

  test('several warnings may share a header', () => {
    expect(warningsIn('299 - "one", 299 - "two, three"')).toEqual(['one', 'two, three']);
  });

  describe('who asks', () => {
    test.each([
      ['a token', { token: 't' }, { authorization: 'Bearer t' }],
      ['user and password', { username: 'u', password: 'p' }, { authorization: 'Basic dTpw' }],
      [
        'another user',
        { as: 'jane', 'as-uid': '7', 'as-groups': ['dev', 'ops'], 'as-user-extra': { 'a/b': ['1', '2'] } },
        {
          'impersonate-user': 'jane',
          'impersonate-uid': '7',
          'impersonate-group': 'dev, ops',
          'impersonate-extra-a%2fb': '1, 2',
        },
      ],
    ] as [string, KubeconfigUser, Record<string, string>][])('%s', async (_what, user, headers) => {
      const { transport, server } = await setUp([ok], {}, {}, user);
      await transport.send(get);
      expect(server.seen[0]?.headers).toMatchObject(headers);
    });

    test('groups without a user are refused, as client-go does', async () => {
      const { transport } = await setUp([ok], {}, {}, { 'as-groups': ['dev'] });
      await expect(transport.send(get)).rejects.toThrow('without impersonating a user');
    });

    test.each([
      ['gcp', 'gke-gcloud-auth-plugin'],
      ['azure', 'kubelogin'],
    ])('the auth-provider %s is answered with its successor', async (name, successor) => {
      const { transport } = await setUp([ok], {}, {}, { 'auth-provider': { name } });
      await expect(transport.send(get)).rejects.toThrow(successor);
    });
  });
});
