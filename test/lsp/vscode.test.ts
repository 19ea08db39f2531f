import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { EditorSession } from '../../src/lsp/session.ts';
import type { Position } from '../../src/support/lines.ts';
import { chartFolder } from './chart.ts';
import { shop } from './write-chart.ts';

/* The extension as VS Code loads it. What it calls of VS Code and of the protocol's client is here; the server is real. */
const folder = join('editors', 'vscode');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

interface Editor {
  readonly document: { readonly uri: { readonly scheme: string }; readonly path: string };
  readonly selection: { readonly active: Position };
}

/** What the extension has done to VS Code. */
function loaded(settings: Readonly<Record<string, string>> = {}) {
  const session = new EditorSession({ env: {} });
  const commands = new Map<string, (editor: Editor) => Promise<void>>();
  const seen = {
    server: {} as Record<string, unknown>,
    options: {} as Record<string, unknown>,
    state: 'stopped',
    commands,
    follow: async (_event: { textEditor: Editor }): Promise<void> => undefined,
    provider: { provideTextDocumentContent: (): string => '' },
    changed: 0,
    shown: [] as unknown[],
  };
  const documents: { uri: { scheme: string } }[] = [];
  class LanguageClient {
    code2ProtocolConverter = {
      asTextDocumentPositionParams: ({ path }: Editor['document'], position: Position) => ({ path, position }),
    };

    constructor(_id: string, _name: string, server: Record<string, unknown>, options: Record<string, unknown>) {
      Object.assign(seen, { server, options });
    }
    async start(): Promise<void> {
      seen.state = 'running';
    }
    async stop(): Promise<void> {
      seen.state = 'stopped';
    }
    async sendRequest(method: string, { path, position }: { path: string; position: Position }): Promise<unknown> {
      expect(method).toBe('tshelm/rendered');
      return session.rendered(path, position) ?? null;
    }
  }
  class EventEmitter {
    event = (): void => undefined;
    fire(): void {
      seen.changed += 1;
    }
  }
  const vscode = {
    EventEmitter,
    Uri: { parse: (text: string) => ({ scheme: text.split(':')[0] ?? '' }) },
    ViewColumn: { Beside: -2 },
    workspace: {
      textDocuments: documents,
      getConfiguration: () => ({ get: (name: string) => settings[name] ?? '' }),
      createFileSystemWatcher: (glob: string) => glob,
      registerTextDocumentContentProvider: (_scheme: string, provider: typeof seen.provider) => {
        seen.provider = provider;
      },
      openTextDocument: async (uri: { scheme: string }) => {
        documents.push({ uri });
        return { uri };
      },
    },
    commands: {
      registerTextEditorCommand: (name: string, run: (editor: Editor) => Promise<void>) => commands.set(name, run),
    },
    window: {
      onDidChangeTextEditorSelection: (listener: typeof seen.follow) => {
        seen.follow = listener;
      },
      showTextDocument: async (document: unknown, how: unknown) => seen.shown.push([document, how]),
    },
  };
  const modules: Readonly<Record<string, unknown>> = { vscode, 'vscode-languageclient/node': { LanguageClient } };
  const require = (name: string): unknown => modules[name] ?? createRequire(import.meta.url)(name);
  const module = { exports: {} as { activate(context: object): Promise<void>; deactivate(): Promise<void> } };
  runInNewContext(readFileSync(join(folder, manifest.main), 'utf8'), { require, module, exports: module.exports });
  return { extension: module.exports, seen };
}

const editorAt = (path: string, line: number): Editor => ({
  document: { uri: { scheme: 'file' }, path },
  selection: { active: { line, character: 2 } },
});

test('the extension starts the server that the settings name, for what its manifest declares', async () => {
  const { extension, seen } = loaded({ path: '/opt/tshelm', kubeVersion: '1.34' });
  const context = { subscriptions: [] as unknown[] };
  await extension.activate(context);
  expect(seen.server).toEqual({ command: '/opt/tshelm', args: ['lsp', '--kube-version', '1.34'] });
  expect(seen.state).toBe('running');
  const declared = manifest.contributes.commands.map(({ command }: { command: string }) => command);
  expect([...seen.commands.keys()]).toEqual(declared);
  expect(Object.keys(manifest.contributes.configuration.properties)).toEqual(['tshelm.path', 'tshelm.kubeVersion']);
  expect(context.subscriptions).toHaveLength(3);
  await extension.deactivate();
  expect(seen.state).toBe('stopped');
});

test('without a version in the settings the server takes its own', async () => {
  const { extension, seen } = loaded({ path: 'tshelm' });
  await extension.activate({ subscriptions: [] });
  expect(seen.server).toEqual({ command: 'tshelm', args: ['lsp'] });
});

test('the preview shows the object at the cursor beside the template, and follows it while it is open', async () => {
  const chart = chartFolder();
  const web = join(chart, 'templates/web.yaml');
  const { extension, seen } = loaded({ path: 'tshelm' });
  await extension.activate({ subscriptions: [] });
  const text = (): string => seen.provider.provideTextDocumentContent();
  await seen.follow({ textEditor: editorAt(web, 3) });
  expect(seen.changed).toBe(0);
  const line = (shop['templates/web.yaml'] ?? '').split('\n').findIndex((one) => one.includes('replicas'));
  await seen.commands.get('tshelm.preview')?.(editorAt(web, line));
  expect(seen.shown).toEqual([[{ uri: expect.anything() }, { viewColumn: -2, preserveFocus: true, preview: true }]]);
  expect(text()).toContain('kind: Deployment');
  await seen.follow({ textEditor: editorAt(join(chart, 'values.yaml'), 0) });
  expect(text()).toBe('# nothing is rendered here\n');
  await seen.follow({ textEditor: editorAt(join(chart, 'charts/db/templates/config.yaml'), 1) });
  expect(text()).toContain('kind: ConfigMap');
});
