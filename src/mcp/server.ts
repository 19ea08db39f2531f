import { validateAgainstSchemaSync } from '../chart/schema/validate.ts';
import { goValues } from '../sdk/values.ts';
import { messageOf, problemsOf, TshelmError } from '../support/errors.ts';
import { type Fields, isObject } from '../support/json.ts';
import { hidden } from '../support/known-words.ts';
import { tshelmVersion } from '../support/version.ts';
import { chartTools, plainNumber } from './chart-tools.ts';
import { type RpcCall, RpcError, type RpcHandlers, RpcServer, rpcCodes } from './json-rpc.ts';
import { applyTool, releaseTools } from './release-tools.ts';
import type { Doors, Given, Tool } from './tool.ts';

/** The versions of the Model Context Protocol in which these messages are the same; the newest first. */
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const instructions =
  'Charts and releases of a Kubernetes cluster. Reading tools change nothing. To change a release: plan saves a plan in a file; a person or a policy releases the file with "tshelm plan release"; apply carries it out. When something fails, diagnose tells the causes, the lines and values to change, and remedies; explain tells what a code means.';

/** A server of the Model Context Protocol over one stream in and one out. It asks the client for nothing. */
export function mcpServer(doors: Doors, write: (line: string) => void): RpcServer {
  const tools = new Map(
    Object.entries({ ...chartTools, ...releaseTools, ...(doors.applying !== undefined && { apply: applyTool }) }),
  );
  const methods: RpcHandlers['methods'] = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: protocolVersions.find((one) => one === protocolVersion) ?? protocolVersions[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'tshelm', title: 'tshelm', version: tshelmVersion },
      instructions,
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [...tools].map(([name, tool]) => described(name, tool)) }),
    'tools/call': (params, call) => callTool(params, tools, { doors, call }),
  };
  return new RpcServer({ methods, write });
}

const described = (name: string, { title, description, input, output, isWriting = false }: Tool): object => ({
  name,
  title,
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title,
    readOnlyHint: !isWriting,
    destructiveHint: isWriting,
    idempotentHint: true,
    openWorldHint: true,
  },
});

/**
 * The result of a tool; what a model may do something about, wrong arguments too, is a result with `isError` (as the
 * protocol has it since 2025-11-25). Errors: {@link RpcError} for a tool that is not there.
 */
async function callTool(
  { name, arguments: given = {} }: Fields,
  tools: ReadonlyMap<string, Tool>,
  { doors, call }: { readonly doors: Doors; readonly call: RpcCall },
): Promise<object> {
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  if (tool === undefined)
    throw new RpcError(rpcCodes.invalidParams, `there is no such tool; there are ${[...tools.keys()].join(', ')}`);
  if (!isObject(given)) throw new RpcError(rpcCodes.invalidParams, 'arguments must be an object');
  try {
    checkArguments(given, tool);
    const data = withoutSecrets(await tool.run(given as unknown as Given, doors, call), doors);
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
  } catch (error) {
    const failure = withoutSecrets(failureData(error), doors);
    return { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: true };
  }
}

const compiled = new WeakMap();
const schemas = new WeakMap<Tool, Uint8Array>();

/** Errors: `bad-options`, each finding in a line. */
function checkArguments(given: Record<string, unknown>, tool: Tool): void {
  const bytes = schemas.get(tool) ?? Buffer.from(JSON.stringify(tool.input));
  schemas.set(tool, bytes);
  const findings = validateAgainstSchemaSync(bytes, goValues(given as never), { notify: () => {}, compiled });
  if (findings === '') return;
  throw new TshelmError('bad-options', {
    message: `the arguments do not fit the tool:\n${findings.trim()}`,
    details: { option: 'arguments' },
  });
}

/** Plain JSON, every text and number of it without what is secret. */
function withoutSecrets(data: unknown, { secrets }: Doors): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(data, plainNumber) ?? 'null');
  const shown = (_key: string, value: unknown): unknown => {
    if (typeof value === 'string') return secrets.redact(value);
    return typeof value === 'number' && secrets.knows(String(value)) ? hidden : value;
  };
  return JSON.parse(JSON.stringify(plain, shown));
}

/** A failure as a model reads it: the code, the message, and the problems with their places and remedies. */
function failureData(error: unknown): object {
  if (!(error instanceof TshelmError)) return { error: { code: 'internal', message: messageOf(error) } };
  return { error: { code: error.code, message: error.message, problems: problemsOf(error) } };
}
