import type { JsonObject } from '../../support/json.ts';
import { apiVersionOf, type Kind } from '../kinds/kind.ts';
import type { KindRegistry } from '../kinds/registry.ts';
import { type Answer, json } from './answer.ts';

/**
 * OpenAPI as far as clients need it: kubectl and Helm look here whether the server validates fields itself
 * (`fieldValidation` of PATCH). The schemas themselves are not published.
 */
export const openApiV2 = (accept: string, version: string): Answer =>
  accept.includes('protobuf')
    ? {
        kind: 'text',
        code: 200,
        body: emptyProtobufDocument,
        contentType: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
      }
    : json({ swagger: '2.0', info: { title: 'Kubernetes', version }, paths: {} });

/** An openapi.v2 Document with `swagger: "2.0"` and nothing else. */
const emptyProtobufDocument = Uint8Array.from([0x0a, 0x03, 0x32, 0x2e, 0x30]);

/** `/openapi/v3`: where each group version's document is. */
export function openApiV3Index(kinds: readonly Kind[]): JsonObject {
  const paths: JsonObject = {};
  for (const path of new Set(kinds.map(pathOf))) {
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${kinds.length}` };
  }
  return { paths };
}

const pathOf = (kind: Kind): string => (kind.group === '' ? `api/${kind.version}` : `apis/${apiVersionOf(kind)}`);

/** `/openapi/v3/apis/GROUP/VERSION`; undefined when it is not served. */
export function openApiV3(kinds: KindRegistry, path: string): JsonObject | undefined {
  const served = kinds.all().filter((kind) => pathOf(kind) === path);
  if (served.length === 0) return undefined;
  const paths: JsonObject = {};
  for (const kind of served) {
    const scope = kind.namespaced ? '/namespaces/{namespace}' : '';
    const collection = `/${path}${scope}/${kind.plural}`;
    paths[collection] = { post: operation(kind, 'post') };
    paths[`${collection}/{name}`] = {
      get: operation(kind, 'get'),
      put: operation(kind, 'put'),
      patch: operation(kind, 'patch'),
    };
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: kinds.gitVersion },
    paths,
    components: { schemas: {} },
  };
}

const operation = (kind: Kind, action: string): JsonObject => ({
  'x-kubernetes-action': action,
  'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind },
  parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
    name,
    in: 'query',
    schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
  })),
  responses: { '200': { description: 'OK' } },
});
