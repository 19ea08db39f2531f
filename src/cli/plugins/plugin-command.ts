import { boolOf } from '../../change/option-rows.ts';
import type { Plugin } from '../../plugin/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { splitOnce } from '../../support/text.ts';
import type { CliContext } from '../context.ts';
import type { GlobalFlags } from '../settings.ts';
import { installedPlugins, listedPlugins, pluginEnvironment } from '../sources/plugins.ts';

/** The command plugin of that name; undefined where there is none, or HELM_NO_PLUGINS=1. */
export function pluginOf(name: string, context: CliContext): Plugin | undefined {
  if (context.io.env['HELM_NO_PLUGINS'] === '1') return undefined;
  const found = installedPlugins({ type: 'cli/v1' }, {}, context);
  return found.find((plugin) => commandName(plugin) === name);
}

/** The commands that plugins bring, for lists of commands. */
export const pluginCommands = (context: CliContext): readonly { readonly name: string; readonly summary: string }[] =>
  context.io.env['HELM_NO_PLUGINS'] === '1'
    ? []
    : listedPlugins({}, context).map((plugin) => ({
        name: commandName(plugin),
        summary: plugin.config.shortHelp || `the "${plugin.name}" plugin`,
      }));

const commandName = ({ name, config }: Plugin): string => (config.usage || name).split(' ')[0] as string;

/** What `help PLUGIN` prints; `PLUGIN --help` is the plugin's own affair. */
export const pluginHelp = ({ name, config }: Plugin, program: string): string =>
  `${config.longHelp || config.shortHelp || `the "${name}" plugin`}\n\nUsage:  ${program} ${config.usage || name} [flags]\n`;

/**
 * Runs a command plugin with the words behind its name: the flags of Helm's own are taken out and go into its environment,
 * the rest is the plugin's. Fails with the plugin's exit code. Go: load_plugins.go.
 */
export async function runPluginCommand(plugin: Plugin, words: readonly string[], context: CliContext): Promise<void> {
  const { runCliPlugin } = await import('../../plugin/run.ts');
  const { flags, rest } = splitWords(words);
  const env = await pluginEnvironment(flags, context);
  const code = await runCliPlugin(plugin, { env, args: plugin.config.ignoreFlags ? [] : rest });
  if (code === 0) return;
  context.endWith(code);
  throw new TshelmError('plugin-failed', { message: `plugin ${JSON.stringify(plugin.name)} exited with error` });
}

/** The flags that Helm keeps from its plugins, with the option that each gives. */
const ownFlags: Readonly<Record<string, keyof GlobalFlags>> = {
  '--kube-context': 'kubeContext',
  '--namespace': 'namespace',
  '-n': 'namespace',
  '--kubeconfig': 'kubeconfig',
  '--kube-apiserver': 'kubeApiserver',
  '--kube-token': 'kubeToken',
  '--kube-as-user': 'kubeAsUser',
  '--kube-as-group': 'kubeAsGroup',
  '--kube-ca-file': 'kubeCaFile',
  '--registry-config': 'registryConfig',
  '--repository-cache': 'repositoryCache',
  '--repository-config': 'repositoryConfig',
  '--kube-insecure-skip-tls-verify': 'kubeInsecureSkipTlsVerify',
  '--kube-tls-server-name': 'kubeTlsServerName',
};

/** The flags of Helm's own among a plugin's words, and the rest. */
export function splitWords(words: readonly string[]): {
  readonly flags: GlobalFlags;
  readonly rest: readonly string[];
} {
  const flags: Record<string, unknown> = {};
  const rest: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    const [name, value] = splitOnce(word, '=');
    const option = ownFlags[name];
    if (word === '--debug') flags['debug'] = true;
    else if (option === undefined) rest.push(word);
    else setFlag(flags, option, value ?? argumentOf(name, words[++index]));
  }
  return { flags: flags as GlobalFlags, rest };
}

function argumentOf(name: string, next: string | undefined): string {
  if (next !== undefined) return next;
  const title = name.startsWith('--') ? name : `'${name.slice(1)}' in ${name}`;
  throw new TshelmError('bad-flag', { message: `flag needs an argument: ${title}` });
}

function setFlag(flags: Record<string, unknown>, option: keyof GlobalFlags, text: string): void {
  if (option === 'kubeAsGroup') flags[option] = [...((flags[option] as string[] | undefined) ?? []), text];
  else flags[option] = option === 'kubeInsecureSkipTlsVerify' ? boolOf(text) === true : text;
}
