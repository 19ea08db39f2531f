import https from 'node:https';

const concurrency = 16;

/**
 * Requests by node:https alone, for the bounds of `npm run bench deploying`: `send` resolves with the status and the text
 * of an answer and fails on a refusal; `watch` gives the events of one request; `inTurn` keeps so many under way at once.
 */
export function bareClient(server, token) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: concurrency, rejectUnauthorized: false });
  // A watch has a connection of its own: it would keep one of the others busy.
  const watchAgent = new https.Agent({ rejectUnauthorized: false });

  function open(method, path, { body, contentType = 'application/json', accept, through = agent } = {}) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(accept !== undefined && { accept }),
      ...(text !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const request = https.request(server + path, { method, agent: through, headers }, resolve);
      request.on('error', reject);
      request.end(text);
    });
  }

  async function send(method, path, options) {
    const answer = await open(method, path, options);
    const text = await textOf(answer);
    if (answer.statusCode < 400) return { status: answer.statusCode, text };
    const error = new Error(`${method} ${path} was answered with ${answer.statusCode}: ${text.slice(0, 300)}`);
    throw Object.assign(error, { status: answer.statusCode });
  }

  /** Every object of a collection as it is and as it becomes; without a resource version the server begins with a list. */
  async function* watch(path) {
    const answer = await open('GET', `${path}?watch=true`, { through: watchAgent });
    let rest = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) yield JSON.parse(line);
    }
  }

  const apply = (path, object) =>
    send('PATCH', `${path}?fieldManager=helm&fieldValidation=Strict`, {
      body: object,
      contentType: 'application/apply-patch+yaml',
    });

  const close = () => {
    agent.destroy();
    watchAgent.destroy();
  };
  return { send, apply, watch, inTurn, close };
}

async function textOf(answer) {
  const chunks = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function inTurn(items, task) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await task(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
