import type { Tshelm } from '../sdk/tshelm.ts';
import type { SecretWords } from '../support/secret-words.ts';
import type { Files } from './files.ts';
import type { RpcCall } from './json-rpc.ts';
import type { JsonSchema } from './schemas.ts';

/** What tools work with; all of it is fixed when the server starts. */
export interface Doors {
  /** Its cluster takes questions alone ({@link readOnly}). */
  readonly reading: Tshelm;
  /** Absent where the server applies nothing. */
  readonly applying?: Applying | undefined;
  readonly files: Files;
  /** What the calls get to know to be secret: no answer has it. */
  readonly secrets: SecretWords;
}

export interface Applying {
  readonly tshelm: Tshelm;
  /** ed25519 public keys, as texts of their files, whose owners may release plans. */
  readonly releaseKeys: readonly string[];
  readonly identities: readonly string[];
  readonly passphrase?: string | undefined;
}

export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Whether it changes the cluster. */
  readonly isWriting?: boolean;
  /** `given` fits `input`. The result, once it is without secrets, fits `output`. */
  readonly run: (given: Given, doors: Doors, call: RpcCall) => Promise<unknown>;
}

/** What tools are given, by the names of their schemas. */
export interface Given {
  readonly release: string;
  readonly namespace?: string;
  readonly revision?: number;
  readonly chart: string;
  readonly version?: string;
  readonly repo?: string;
  readonly values?: Readonly<Record<string, never>>;
  readonly valueFiles?: readonly string[];
  readonly wait?: 'hookOnly' | 'legacy' | 'watcher' | 'ordered';
  readonly objects?: readonly string[];
  readonly plan: string;
  readonly code: string;
  readonly isUpgrade?: boolean;
  readonly useCluster?: boolean;
  readonly kubeVersion?: string;
  readonly assume?: Readonly<Record<string, number>>;
  readonly fail?: string;
  readonly max?: number;
  readonly rollbackOnFailure?: boolean;
  readonly timeoutSeconds?: number;
}
