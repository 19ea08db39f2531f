import { readFileSync } from 'node:fs';
import { type FieldType, readStruct, type StructType } from '../../chart/struct-decoder.ts';
import { errnoOf, goPathError } from '../../go/path-error.ts';
import { decodeText } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';
import { TshelmError } from '../../support/errors.ts';
import { writePlainYaml } from '../../yaml/index.ts';
import { writeFileAtomically } from '../atomic-file.ts';

/** A repository that the user has added, with what is needed to reach it. Go: repo.Entry. */
export interface RepositoryEntry {
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  readonly insecureSkipTlsVerify: boolean;
  /** Credentials go to whatever host the index names. */
  readonly passCredentialsAll: boolean;
}

/** repositories.yaml. Go: repo.File. */
export interface RepositoriesFile {
  readonly apiVersion: string;
  /** As Helm writes it: nobody sets it. */
  readonly generated: string;
  readonly repositories: readonly RepositoryEntry[];
}

/** A repository that needs nothing but its URL. */
export const plainEntry = (name: string, url: string): RepositoryEntry => ({
  name,
  url,
  username: '',
  password: '',
  certFile: '',
  keyFile: '',
  caFile: '',
  insecureSkipTlsVerify: false,
  passCredentialsAll: false,
});

const text: FieldType = { kind: 'string' };
const field = (name: keyof RepositoryEntry, type: FieldType = text) => ({ name, type });

const entryType: StructType = {
  kind: 'struct',
  goType: 'repo.Entry',
  fields: {
    name: field('name'),
    url: field('url'),
    username: field('username'),
    password: field('password'),
    certFile: field('certFile'),
    keyFile: field('keyFile'),
    caFile: field('caFile'),
    insecure_skip_tls_verify: field('insecureSkipTlsVerify', { kind: 'bool' }),
    pass_credentials_all: field('passCredentialsAll', { kind: 'bool' }),
  },
};

const fileType: StructType = {
  kind: 'struct',
  goType: 'repo.File',
  fields: {
    apiVersion: { name: 'apiVersion', type: text },
    generated: { name: 'generated', type: { kind: 'time' } },
    repositories: { name: 'repositories', type: { kind: 'list', of: entryType, goType: '[]*repo.Entry' } },
  },
};

const noRepositories: RepositoriesFile = { apiVersion: '', generated: '0001-01-01T00:00:00Z', repositories: [] };

/**
 * The repositories that the user has added; undefined where the file is not there. Go: repo.LoadFile.
 * Fails with `repositories-unreadable`.
 */
export function readRepositories(path: string): RepositoriesFile | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    throw unreadable(
      path,
      `couldn't load repositories file (${path}): ${goPathError('open', path, cause).message}`,
      cause,
    );
  }
  try {
    return parseRepositories(decodeText(bytes));
  } catch (cause) {
    if (cause instanceof GoError) throw unreadable(path, `failed loading file: ${path}: ${cause.message}`, cause);
    throw cause;
  }
}

function parseRepositories(yaml: string): RepositoriesFile {
  const read = readStruct(yaml, fileType) as
    | { apiVersion?: string; generated?: string; repositories?: readonly (Partial<RepositoryEntry> | null)[] }
    | undefined;
  if (read === undefined) return noRepositories;
  const repositories = (read.repositories ?? [])
    .filter((entry) => entry !== null)
    .map((entry) => ({ ...plainEntry('', ''), ...entry }));
  return { ...noRepositories, ...read, repositories };
}

/** The same, where no file is as good as an empty one. */
export const knownRepositories = (path: string): readonly RepositoryEntry[] =>
  readRepositories(path)?.repositories ?? [];

/** Writes repositories.yaml as Helm does, whole or not at all, and for the user's eyes only. Go: File.WriteFile. */
export function writeRepositories(path: string, { apiVersion, generated, repositories }: RepositoriesFile): void {
  const entries = repositories.map(({ insecureSkipTlsVerify, passCredentialsAll, ...entry }) => ({
    ...entry,
    insecure_skip_tls_verify: insecureSkipTlsVerify,
    pass_credentials_all: passCredentialsAll,
  }));
  writeFileAtomically(path, writePlainYaml({ apiVersion, generated, repositories: entries }), 0o600);
}

/** The file with this entry: in the place of the one of the same name, or at the end. Go: File.Update. */
export function withRepository(file: RepositoriesFile | undefined, entry: RepositoryEntry): RepositoriesFile {
  const { repositories, ...rest } = file ?? noRepositories;
  const at = repositories.findIndex(({ name }) => name === entry.name);
  return { ...rest, repositories: at < 0 ? [...repositories, entry] : repositories.with(at, entry) };
}

/** Whether two entries say the same in every field. */
export const isSameEntry = (a: RepositoryEntry, b: RepositoryEntry): boolean =>
  (Object.keys(plainEntry('', '')) as (keyof RepositoryEntry)[]).every((key) => a[key] === b[key]);

const unreadable = (path: string, message: string, cause: unknown): TshelmError =>
  new TshelmError('repositories-unreadable', { message, details: { path }, cause });
