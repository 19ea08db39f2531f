/** All that references to secrets ask of the machine. Paths are absolute. */
export interface SecretWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fails as Go's os.ReadFile does. */
  readFile(path: string): string;
  /** Runs a program to its end; fails with its words. */
  run(program: Program): string;
  /** Whether no server may be asked. */
  readonly isOffline?: boolean | undefined;
  /** Present where somebody else wrote the references. */
  readonly untrusted?: object | undefined;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | undefined;
}
