import type { GoMap, Value } from '../go/value.ts';
import type { ChartMetadata, Dependency } from './types.ts';

/** Chart.yaml's fields by their names there; what is empty is left out, as in Go. */
export function metadataValue(metadata: ChartMetadata): GoMap {
  const {
    maintainers = [],
    dependencies = [],
    annotations,
    sources,
    keywords,
    runHooksInParallel,
    ...texts
  } = metadata;
  return nonEmpty({
    ...texts,
    sources: sources && [...sources],
    keywords: keywords && [...keywords],
    maintainers: maintainers.map((maintainer) => nonEmpty({ ...maintainer })),
    annotations: annotations && new Map(Object.entries(annotations)),
    dependencies: dependencies.map(dependencyValue),
    runHooksInParallel,
  });
}

/** Without the fields that Helm does not know. */
export const withoutOwnFields = ({ dependencies, ...metadata }: ChartMetadata): ChartMetadata => ({
  ...metadata,
  runHooksInParallel: undefined,
  dependencies: dependencies?.map((dependency) => ({ ...dependency, dependsOn: undefined })),
});

/** An entry of `dependencies`, in Chart.yaml and in Chart.lock. */
export function dependencyValue({ name, importValues, dependsOn, tags, repository = '', ...texts }: Dependency): GoMap {
  const value = nonEmpty({
    ...texts,
    tags: tags && [...tags],
    'import-values': importValues && ([...importValues] as Value[]),
    'depends-on': dependsOn && [...dependsOn],
  });
  return value.set('name', name).set('repository', repository);
}

function nonEmpty(fields: Readonly<Record<string, Value>>): GoMap {
  const isEmpty = (value: Value): boolean =>
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0) ||
    (value instanceof Map && value.size === 0);
  return new Map(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
