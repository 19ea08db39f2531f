import { notAcceptable } from '../status.ts';

/** The form in which a client wants its answer. */
export type Form = 'object' | 'table' | 'metadata' | 'discovery';

/** The first form of the Accept header that can be served; JSON is the only encoding. */
export function negotiate(accept: string): Form {
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!readableTypes.has(type)) continue;
    const as = parameters.find((parameter) => parameter.startsWith('as='))?.slice(3);
    if (as === undefined) return 'object';
    const form = as === 'APIGroupDiscoveryList' && !parameters.includes('v=v2') ? undefined : forms[as];
    if (form !== undefined) return form;
  }
  throw notAcceptable(['application/json', 'application/yaml']);
}

const readableTypes = new Set(['application/json', 'application/*', '*/*', 'application/yaml', '']);

const forms: Readonly<Record<string, Form>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
  APIGroupDiscoveryList: 'discovery',
};
