'use strict';
// Starts `tshelm lsp`, and shows the rendered object of the cursor's place beside the template.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const scheme = 'tshelm-rendered';
let client;

exports.activate = async (context) => {
  const settings = vscode.workspace.getConfiguration('tshelm');
  const version = settings.get('kubeVersion');
  const server = { command: settings.get('path'), args: ['lsp', ...(version ? ['--kube-version', version] : [])] };
  const patterns = ['**/templates/**', '**/*.{yaml,yml,tpl,gotmpl}'];
  client = new LanguageClient('tshelm', 'tshelm', server, {
    documentSelector: patterns.map((pattern) => ({ scheme: 'file', pattern })),
    synchronize: {
      fileEvents: vscode.workspace.createFileSystemWatcher('**/{Chart.yaml,values.yaml,templates/**,ci/**,charts/**}'),
    },
  });
  const preview = new Preview();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(scheme, preview),
    vscode.commands.registerTextEditorCommand('tshelm.preview', (editor) => preview.show(editor)),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => preview.follow(textEditor)),
  );
  await client.start();
};

exports.deactivate = () => client?.stop();

/** One document that shows the object at the cursor of the last template. */
class Preview {
  #changed = new vscode.EventEmitter();
  #text = '';
  onDidChange = this.#changed.event;
  uri = vscode.Uri.parse(`${scheme}:rendered.yaml`);

  provideTextDocumentContent() {
    return this.#text;
  }

  async show(editor) {
    await this.#update(editor);
    const shown = await vscode.workspace.openTextDocument(this.uri);
    await vscode.window.showTextDocument(shown, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }

  /** Only while it is open. */
  async follow(editor) {
    const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === scheme);
    if (isOpen && editor.document.uri.scheme === 'file') await this.#update(editor);
  }

  async #update({ document, selection }) {
    const params = client.code2ProtocolConverter.asTextDocumentPositionParams(document, selection.active);
    const object = await client.sendRequest('tshelm/rendered', params);
    this.#text = object === null ? '# nothing is rendered here\n' : object.text;
    this.#changed.fire(this.uri);
  }
}
