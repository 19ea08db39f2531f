import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CodeAction,
  type CompletionItemKind,
  type Connection,
  createConnection,
  type DiagnosticSeverity,
  type Location,
  ProposedFeatures,
  ResponseError,
  type ServerCapabilities,
  type TextDocumentPositionParams,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { Level } from '../problem/level.ts';
import { messageOf } from '../support/errors.ts';
import { tshelmVersion } from '../support/version.ts';
import type { Completion } from './completion.ts';
import { Schedule } from './schedule.ts';
import {
  type Diagnostic,
  type Diagnostics,
  EditorSession,
  type FileEdit,
  type FileRange,
  type SessionOptions,
} from './session.ts';

/** Streams that speak the Language Server Protocol. */
interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Serves an editor by the Language Server Protocol until it says `exit`, which ends the process. Beyond the protocol:
 * `tshelm/rendered` asks, as a hover does, for the object that a place of a template makes.
 */
export function serve({ input, output }: Streams, options: SessionOptions): void {
  const connection = createConnection(ProposedFeatures.all, input, output);
  const session = new EditorSession(options);
  connection.onInitialize(() => ({ capabilities, serverInfo: { name: 'tshelm', version: tshelmVersion } }));
  followDocuments(connection, session);
  answerQuestions(connection, session);
  connection.listen();
}

// The protocol's numbers are written out: the package is loaded when a connection is made, after this module.
const capabilities: ServerCapabilities = {
  // 1: a change brings the whole text.
  textDocumentSync: { openClose: true, change: 1, save: true },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  completionProvider: { triggerCharacters: ['.', '"', '$'] },
  renameProvider: { prepareProvider: true },
  codeActionProvider: { codeActionKinds: ['quickfix'] },
};

/** Files of the editor's own kinds, such as unsaved ones without a name, belong to no chart. */
function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

const uriOf = (path: string): string => pathToFileURL(path).href;

function followDocuments(connection: Connection, session: EditorSession): void {
  const publish = (diagnostics: Diagnostics): void => {
    for (const [path, found] of diagnostics)
      void connection.sendDiagnostics({ uri: uriOf(path), diagnostics: found.map(asDiagnostic) });
  };
  const failed = (error: unknown): void => connection.console.error(messageOf(error));
  const schedule = new Schedule({
    quick: async (path, pause) => publish(await session.quick(path, pause)),
    full: async (path, pause) => publish(await session.full(path, pause)),
    failed,
  });
  const changed = (uri: string, text: string): void => {
    const path = pathOf(uri);
    if (path === undefined) return;
    session.workspace.change(path, text);
    schedule.changed(path);
  };
  connection.onDidOpenTextDocument(({ textDocument: { uri, text } }) => changed(uri, text));
  connection.onDidChangeTextDocument(({ textDocument: { uri }, contentChanges }) => {
    const text = contentChanges.at(-1)?.text;
    if (text !== undefined) changed(uri, text);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    const path = pathOf(uri);
    if (path === undefined) return;
    session.workspace.close(path);
    publish(new Map([[path, []]]));
  });
  const onDisk = (uris: readonly string[]): void => {
    for (const path of uris.flatMap((uri) => pathOf(uri) ?? [])) {
      session.workspace.forget(path);
      schedule.changed(path);
    }
  };
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => onDisk([uri]));
  connection.onDidChangeWatchedFiles(({ changes }) => onDisk(changes.map(({ uri }) => uri)));
}

const severities: { readonly [L in Level]: DiagnosticSeverity } = { error: 1, warning: 2, note: 4 };

const asDiagnostic = ({ range, level, code, message, related }: Diagnostic) => ({
  range,
  severity: severities[level],
  source: 'tshelm',
  code,
  message,
  relatedInformation: related.map((one) => ({ location: asLocation(one), message: one.message })),
});

const asLocation = ({ path, range }: FileRange): Location => ({ uri: uriOf(path), range });

function answerQuestions(connection: Connection, session: EditorSession): void {
  /** Of a place in a file; nothing where it has no answer, or something fails that should not. */
  const answer =
    <R, P extends TextDocumentPositionParams>(find: (path: string, params: P) => R | undefined) =>
    (params: P): R | null => {
      const path = pathOf(params.textDocument.uri);
      if (path === undefined) return null;
      try {
        return find(path, params) ?? null;
      } catch (error) {
        if (error instanceof ResponseError) throw error;
        connection.console.error(messageOf(error));
        return null;
      }
    };
  connection.onHover(
    answer((path, { position }) => {
      const found = session.hover(path, position);
      return found && { contents: { kind: 'markdown' as const, value: found.markdown }, range: found.range };
    }),
  );
  connection.onDefinition(answer((path, { position }) => session.definition(path, position).map(asLocation)));
  connection.onReferences(answer((path, { position }) => session.references(path, position).map(asLocation)));
  connection.onCompletion(
    answer((path, { position }) => {
      const found = session.completions(path, position);
      return found?.items.map((item, index) => asCompletion(item, found.range, index));
    }),
  );
  connection.onPrepareRename(answer((path, { position }) => session.renameable(path, position)));
  connection.onRenameRequest(
    answer((path, { position, newName }) => {
      const rename = session.rename(path, position, newName);
      if ('problem' in rename) throw new ResponseError(notRenamed, `cannot rename: ${rename.problem}`);
      return workspaceEdit(rename.edits);
    }),
  );
  connection.onCodeAction(({ textDocument, range }) =>
    answer((path): CodeAction[] =>
      session
        .codeActions(path, range)
        .map(({ title, edits }) => ({ title, kind: 'quickfix', edit: workspaceEdit(edits) })),
    )({ textDocument, position: range.start }),
  );
  connection.onRequest(
    'tshelm/rendered',
    answer((path, { position }) => session.rendered(path, position)),
  );
}

/** RequestFailed of the protocol. */
const notRenamed = -32803;

const completionKinds: { readonly [K in Completion['kind']]: CompletionItemKind } = {
  value: 10,
  helper: 9,
  function: 3,
  keyword: 14,
  variable: 6,
  'built-in': 21,
  field: 5,
  annotation: 20,
};

const asCompletion = (item: Completion, range: TextEdit['range'], index: number) => ({
  label: item.label,
  kind: completionKinds[item.kind],
  ...(item.detail !== undefined && { detail: item.detail }),
  ...(item.text !== undefined && { documentation: { kind: 'markdown' as const, value: item.text } }),
  sortText: String(index).padStart(5, '0'),
  textEdit: { range, newText: item.insert ?? item.label },
});

function workspaceEdit(edits: readonly FileEdit[]): WorkspaceEdit {
  const changes: Record<string, TextEdit[]> = {};
  for (const { path, range, text } of edits) (changes[uriOf(path)] ??= []).push({ range, newText: text });
  return { changes };
}
