import type { Kind } from '../kinds/kind.ts';
import { resourceNotServed } from '../status.ts';
import { type Answer, json, pageNotFound, text } from './answer.ts';
import {
  aggregatedContentType,
  aggregatedDiscovery,
  coreVersions,
  groupList,
  oneGroup,
  resourceList,
} from './discovery.ts';
import { negotiate } from './negotiate.ts';
import { openApiV2, openApiV3, openApiV3Index } from './openapi.ts';
import type { ApiRequest } from './request.ts';
import { answerResource } from './resources.ts';
import type { Serving, Target } from './target.ts';

const build = {
  gitCommit: 'sandbox',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** Answers a request by its path. `warn` takes what belongs into Warning headers. */
export async function route(serving: Serving, request: ApiRequest, warn: (text: string) => void): Promise<Answer> {
  const [first = '', second, third, ...rest] = request.segments;
  switch (first) {
    case '':
      return json({
        paths: ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
      });
    case 'version':
      return json({ major: '1', minor: `${serving.kinds.minor}`, gitVersion: serving.kinds.gitVersion, ...build });
    case 'healthz':
    case 'readyz':
    case 'livez':
      return text('ok');
    case 'openapi':
      return openApi(serving, request, second);
    case 'api':
      return second === undefined
        ? discover(serving, request, true)
        : await api(serving, request, { group: '', version: second, rest: request.segments.slice(2) }, warn);
    case 'apis':
      if (second === undefined) return discover(serving, request, false);
      if (third === undefined) return found(oneGroup(serving.kinds.all(), second));
      return await api(serving, request, { group: second, version: third, rest }, warn);
    default:
      return pageNotFound;
  }
}

const found = (body: ReturnType<typeof oneGroup>): Answer => (body === undefined ? pageNotFound : json(body));

function openApi({ kinds }: Serving, request: ApiRequest, name: string | undefined): Answer {
  if (name === 'v2') return openApiV2(request.accept, kinds.gitVersion);
  if (name !== 'v3') return pageNotFound;
  const path = request.segments.slice(2).join('/');
  return path === '' ? json(openApiV3Index(kinds.all())) : found(openApiV3(kinds, path));
}

function discover({ kinds }: Serving, request: ApiRequest, isCore: boolean): Answer {
  if (negotiate(request.accept) === 'discovery') {
    const body = aggregatedDiscovery(kinds.all(), isCore);
    return { kind: 'json', code: 200, body, contentType: aggregatedContentType };
  }
  return json(isCore ? coreVersions() : groupList(kinds.all()));
}

/** A path of the API: the group version, and the segments below it. */
interface GroupVersionPath {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly rest: readonly string[];
}

async function api(
  serving: Serving,
  request: ApiRequest,
  path: GroupVersionPath,
  warn: (text: string) => void,
): Promise<Answer> {
  const { kinds } = serving;
  const { group, version: apiVersion, rest } = path;
  if (rest.length === 0) return found(resourceList(kinds.all(), group, apiVersion));
  const target = targetOf(serving, path);
  if (target !== undefined) return await answerResource({ serving, request, target, warn });
  if (kinds.all().some((kind) => kind.group === group && kind.version === apiVersion)) throw resourceNotServed();
  return pageNotFound;
}

/** `[namespaces/NAMESPACE/]PLURAL[/NAME[/SUBRESOURCE]]`; a Namespace's own path begins the same way. */
function targetOf({ kinds }: Serving, { group, version: apiVersion, rest }: GroupVersionPath): Target | undefined {
  const [first = '', second, third] = rest;
  const inNamespace = first === 'namespaces' && second !== undefined && third !== undefined;
  if (inNamespace) {
    const kind = kinds.at(group, apiVersion, third);
    if (kind?.namespaced === true) return target(kind, second, rest.slice(3));
  }
  const kind = kinds.at(group, apiVersion, first);
  return kind === undefined ? undefined : target(kind, undefined, rest.slice(1));
}

function target(kind: Kind, namespace: string | undefined, [name = '', ...subresource]: readonly string[]): Target {
  const path = subresource.join('/');
  if (path !== '' && !kind.subresources.includes(subresource[0] as string)) throw resourceNotServed();
  return { kind, namespace, name, subresource: path };
}
