/** A member of what templates begin with, and what it says. */
export interface BuiltIn {
  readonly path: string;
  readonly text: string;
}

/** As docs/charts.md of Helm lists them: what templates know beside the values. */
export const builtIns: readonly BuiltIn[] = [
  ['Values', 'The values of the chart: its values.yaml, with what is given over it.'],
  ['Release', 'The release that is being rendered.'],
  ['Release.Name', 'The name of the release.'],
  ['Release.Namespace', 'The namespace of the release.'],
  ['Release.IsInstall', 'Whether the release is being installed.'],
  ['Release.IsUpgrade', 'Whether the release is being upgraded, or rolled back.'],
  ['Release.Revision', 'The number of the revision: 1 for an install.'],
  ['Release.Service', 'The service that renders the template: always `Helm`.'],
  ['Chart', 'What Chart.yaml says.'],
  ['Chart.Name', 'The name of the chart.'],
  ['Chart.Version', 'The version of the chart.'],
  ['Chart.AppVersion', 'The version of what the chart deploys.'],
  ['Chart.Description', 'What the chart is for, in one sentence.'],
  ['Chart.Type', '`application` or `library`.'],
  ['Chart.APIVersion', 'The version of the format of charts: `v1` or `v2`.'],
  ['Chart.KubeVersion', 'The versions of Kubernetes that the chart is for.'],
  ['Chart.Keywords', 'Words by which the chart is found.'],
  ['Chart.Home', 'The home page of the project.'],
  ['Chart.Sources', 'Where the source code is.'],
  ['Chart.Icon', 'The address of an icon.'],
  ['Chart.Deprecated', 'Whether the chart should no longer be used.'],
  ['Chart.Annotations', 'The annotations of the chart.'],
  ['Chart.Maintainers', 'Who maintains the chart.'],
  ['Chart.Dependencies', 'The charts that it depends on.'],
  ['Chart.IsRoot', 'Whether it is the outermost chart.'],
  ['Capabilities', 'What the cluster can do.'],
  ['Capabilities.APIVersions', 'The API versions and kinds that the cluster serves.'],
  ['Capabilities.APIVersions.Has', 'Whether the cluster serves `batch/v1`, or `apps/v1/Deployment`.'],
  ['Capabilities.KubeVersion', 'The version of Kubernetes.'],
  ['Capabilities.KubeVersion.Version', 'The version of Kubernetes, as `v1.36.0`.'],
  ['Capabilities.KubeVersion.Major', 'Its first number.'],
  ['Capabilities.KubeVersion.Minor', 'Its second number.'],
  ['Capabilities.HelmVersion', 'The version of Helm.'],
  ['Capabilities.HelmVersion.Version', 'The version of Helm, as `v4.3.1`.'],
  ['Files', 'The files of the chart that are no templates.'],
  ['Files.Get', 'The content of a file, by its path in the chart.'],
  ['Files.GetBytes', 'The bytes of a file.'],
  ['Files.Glob', 'The files whose paths match a pattern.'],
  ['Files.Lines', 'The lines of a file.'],
  ['Files.AsConfig', 'The files as the data of a ConfigMap.'],
  ['Files.AsSecrets', 'The files as the data of a Secret.'],
  ['Template', 'The template that is being rendered.'],
  ['Template.Name', 'Its path: `shop/templates/web.yaml`.'],
  ['Template.BasePath', 'The folder of the templates: `shop/templates`.'],
  ['Subcharts', 'What the templates of each subchart begin with.'],
].map(([path = '', text = '']) => ({ path, text }));

export function builtInText(path: string): string | undefined {
  const found = builtIns.find((one) => one.path === path);
  return found && `\`.${path}\`\n\n${found.text}`;
}

/** Those right below one: of `Release`, `Name` and so on; of '', the roots. */
export const builtInsBelow = (path: string): readonly BuiltIn[] =>
  builtIns.flatMap((one) => {
    const above = one.path.slice(0, Math.max(0, one.path.lastIndexOf('.')));
    return above === path ? [{ path: one.path.slice(path === '' ? 0 : path.length + 1), text: one.text }] : [];
  });
