import { metadataType } from '../../chart/metadata.ts';
import type { FieldType } from '../../chart/struct-decoder.ts';
import { annotations } from '../../manifest/annotations.ts';
import type { Shape } from './shape.ts';

/** What Helm's page on charts says of the keys; those below a list with the list's name before them. */
const texts: Readonly<Record<string, string>> = {
  apiVersion: 'The version of the format: `v2`, or `v1` for charts of Helm 2.',
  name: 'The name of the chart, which its folder and archive have too.',
  version: 'The version of the chart, a semantic version.',
  kubeVersion: 'The versions of Kubernetes that the chart is for: `>=1.25.0-0`.',
  description: 'What the chart is for, in one sentence.',
  type: '`application`, or `library` for a chart that only defines helpers.',
  keywords: 'Words by which the chart is found.',
  home: 'The home page of the project.',
  sources: 'Where the source code is.',
  dependencies: 'The charts that this one needs.',
  'dependencies.name': 'The name of the chart.',
  'dependencies.version': 'The version of the chart, or a range of versions: `~1.2.0`.',
  'dependencies.repository':
    'The URL of the repository, `oci://…`, `file://…`, or `@name` of a repository that was added.',
  'dependencies.condition': 'A value that turns the chart on or off: `db.enabled`.',
  'dependencies.tags': 'Names that turn several charts on or off together, below `tags` in the values.',
  'dependencies.enabled': 'Set while Helm decides about conditions and tags.',
  'dependencies.import-values': 'Values of the chart that this one takes over.',
  'dependencies.alias': 'Another name for the chart, for a second copy of it.',
  'dependencies.depends-on': 'Charts beside it that must be ready before it.',
  maintainers: 'Who maintains the chart.',
  'maintainers.name': 'The name of the person or the team.',
  'maintainers.email': 'The e-mail address.',
  'maintainers.url': 'The home page.',
  icon: 'The URL of an SVG or PNG image.',
  appVersion: 'The version of what the chart deploys, in quotes.',
  deprecated: 'Whether the chart should no longer be used.',
  annotations: 'Further facts for programs.',
  runHooksInParallel: 'Whether hooks of the same weight run at the same time.',
};

const words: Readonly<Record<string, readonly string[]>> = {
  apiVersion: ['v2', 'v1'],
  type: ['application', 'library'],
  runHooksInParallel: ['false', 'otherChartsOnly', 'true'],
};

function shapeOf(type: FieldType, path: string): Shape {
  const text = texts[path];
  switch (type.kind) {
    case 'struct': {
      const below = Object.entries(type.fields).map(
        ([name, field]) => [name, shapeOf(field.type, path === '' ? name : `${path}.${name}`)] as const,
      );
      return { type: 'map', text, fields: () => Object.fromEntries(below) };
    }
    case 'list': {
      const item = shapeOf(type.of, path);
      return { type: `list of ${item.type}`, text, item };
    }
    case 'names':
      return { type: 'list of text', text, item: { type: 'text' } };
    case 'string-map':
      return { type: 'map of text', text, fields: () => annotationKeys };
    case 'bool':
      return { type: 'true or false', text, words: ['true', 'false'] };
    default:
      return { type: type.kind === 'any' ? 'anything' : 'text', text, words: words[path] };
  }
}

const annotationKeys: Readonly<Record<string, Shape>> = Object.fromEntries(
  Object.values(annotations)
    .sort()
    .map((name) => [name, { type: 'text' }]),
);

/** Chart.yaml. */
export const chartYaml: Shape = shapeOf(metadataType, '');
