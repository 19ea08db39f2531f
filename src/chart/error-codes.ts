import type { SchemaProblem } from './validate-values.ts';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A chart cannot be read. Fix what the message names; `tshelm lint CHART` shows more. */
    'chart-invalid': { readonly path: string };
    /** There is no chart with this name. Give a folder with a Chart.yaml, a .tgz archive, or a name that `tshelm repo` knows. */
    'chart-not-found': { readonly path?: string; readonly reference?: string; readonly chart?: string };
    /** The chart is of a type that cannot be installed, such as a library. Install a chart that depends on this one. */
    'chart-not-installable': { readonly chart: string; readonly type: string };
    /** Chart.yaml declares subcharts that are not in `charts/`. Run `helm dependency build CHART`. */
    'dependencies-missing': { readonly missing: readonly string[] };
    /** A JSONPath expression cannot be read. Use kubectl's syntax: `{.image.tag}`. */
    'invalid-jsonpath': { readonly template: string };
    /** The chart's `kubeVersion` excludes this version of Kubernetes. Use a chart that supports this version; for `template`, pass --kube-version. */
    'kube-version-incompatible': {
      readonly chart: string;
      readonly kubeVersion: string;
      readonly kubernetesVersion: string;
    };
    /** An order file cannot be used: a key is unknown, a rule selects nothing, or a rule names a chart that does not exist. Correct each line that the message names. */
    'order-file-invalid': { readonly mistakes: readonly string[]; readonly lines?: readonly (number | undefined)[] };
    /** A values file or a --set flag cannot be read. Fix the text at the place that the message names. */
    'values-invalid': { readonly path: string } | { readonly flag: string; readonly text: string };
    /** The values do not match the chart's values.schema.json. Correct the values that the message names, or use --skip-schema-validation to skip the check. */
    'values-schema': { readonly chart: string; readonly misfits: readonly SchemaProblem[] };
    /** A values file cannot be opened. Check the path, or the URL, of -f. */
    'values-unreadable': { readonly path: string };
  }
}
