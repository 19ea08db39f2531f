export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A chart cannot be read. Mend what the message names; `tshelm lint CHART` shows more of it. */
    'chart-invalid': { readonly path: string };
    /** There is no chart of this name. Give a folder with a Chart.yaml, a .tgz archive, or a name that `tshelm repo` knows. */
    'chart-not-found': { readonly path?: string; readonly reference?: string; readonly chart?: string };
    /** The chart is of a type that cannot be installed, such as a library. Install a chart that uses it. */
    'chart-not-installable': { readonly chart: string; readonly type: string };
    /** Chart.yaml declares subcharts that `charts/` does not hold. Run `helm dependency build CHART`. */
    'dependencies-missing': { readonly missing: readonly string[] };
    /** A JSONPath expression cannot be read. Write it as kubectl takes it: `{.image.tag}`. */
    'invalid-jsonpath': { readonly template: string };
    /** The chart says in `kubeVersion` that it is not made for this version of Kubernetes. Take a chart for it; for `template`, give --kube-version. */
    'kube-version-incompatible': {
      readonly chart: string;
      readonly kubeVersion: string;
      readonly kubernetesVersion: string;
    };
    /** A file of values or a --set flag cannot be read. Mend the text at the place that the message names. */
    'values-invalid': { readonly path: string } | { readonly flag: string; readonly text: string };
    /** The values are not as the values.schema.json of the chart asks. Set what the message names; --skip-schema-validation goes on without the check. */
    'values-schema': { readonly chart: string };
    /** A file of values cannot be opened. Check the path, or the URL, of -f. */
    'values-unreadable': { readonly path: string };
  }
}
