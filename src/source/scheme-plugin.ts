/** The plugins of Helm that fetch what clouds store; tshelm has no getter of its own for these (docs/decisions/cloud-storage.md). */
const plugins: Readonly<Record<string, { readonly name: string; readonly url: string }>> = {
  gs: { name: 'helm-gcs', url: 'https://github.com/hayorov/helm-gcs' },
  s3: { name: 'helm-s3', url: 'https://github.com/hypnoglow/helm-s3' },
};

/** What follows the message about a scheme that nothing fetches: the plugin that would, '' where none is known. */
export function pluginHint(scheme: string): string {
  const plugin = Object.hasOwn(plugins, scheme) ? plugins[scheme] : undefined;
  return plugin === undefined
    ? ''
    : `; the plugin ${plugin.name} fetches ${scheme}:// URLs: tshelm plugin install ${plugin.url}`;
}
