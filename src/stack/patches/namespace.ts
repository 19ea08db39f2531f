import { parseManifests } from '../../manifest/parse.ts';
import { endingInLineBreak } from '../../support/text.ts';
import { writePlainYamlInOrder } from '../../yaml/index.ts';

/** Manifests with a namespace where they name none, whatever their kind; other documents stay as they are. Go: chartify's SetNamespace. */
export const inNamespace = (manifests: string, namespace: string): string =>
  parseManifests(manifests)
    .map(({ object, text }) => {
      if (object.kind === '' || object.metadata.namespace !== undefined) return text;
      const { metadata } = object;
      return writePlainYamlInOrder({ ...object, metadata: { ...metadata, namespace } });
    })
    .map((document) => endingInLineBreak(document))
    .join('---\n');
