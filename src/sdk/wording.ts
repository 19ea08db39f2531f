import { withYamlProblem } from '../render/yaml-problem.ts';
import { addedDetail, causesOf, type ErrorCode, hasCode, type KnownDetails, TshelmError } from '../support/errors.ts';

/** The options of the library for the flags that messages speak of. */
export const optionOfFlag: Readonly<Record<string, string>> = {
  allow: 'allow',
  assume: 'assume',
  concurrency: 'concurrency',
  'create-namespace': 'createNamespace',
  crds: 'crds',
  'delete-hooks': 'deleteHooks',
  eager: 'eager',
  fail: 'fail',
  'encrypt-to': 'save.encryptTo',
  'expires-in': 'save.expiresInMs',
  'force-conflicts': 'forceConflicts',
  'force-replace': 'forceReplace',
  'generate-name': 'name',
  'include-needs': 'includeNeeds',
  install: 'install',
  'kube-apiserver': 'cluster.server',
  'kube-as-user': 'cluster.asUser',
  'kube-context': 'cluster.context',
  kubeconfig: 'cluster.kubeconfig',
  'name-template': 'name',
  offline: 'network.offline',
  'passphrase-file': 'save.passphrase',
  preflight: 'preflight',
  'readiness-timeout': 'readinessTimeoutMs',
  resume: 'resume',
  'server-side': 'serverSide',
  set: 'set',
  'set-file': 'setFile',
  'set-json': 'setJson',
  'set-literal': 'setLiteral',
  'set-string': 'setString',
  'skip-needs': 'skipNeeds',
  'stale-after': 'staleAfterMs',
  'state-values-set': 'stateValues',
  'allow-lost-order': 'allowLostOrder',
  'sign-key': 'signKey',
  'strict-plan': 'strictPlan',
  'take-ownership': 'takeOwnership',
  'trim-record': 'trimRecord',
  wait: 'wait',
  'wait-lock': 'waitLockMs',
};

/** Advice that the library has another answer to. */
const otherwise: readonly (readonly [RegExp, string])[] = [
  [/with -f, with --set, or in (?=\S)/g, 'with values or set, or in '],
  [/(?:\n\n)?Use --debug flag to render out invalid YAML/g, ''],
  [/a selector like "--selector (name=[^"]*)"/g, "'$1' to selectors"],
  [/with the --file flag or HELMFILE_FILE_PATH environment variable/g, 'by the option file'],
  [/add it with "repo add (\S+) URL"/g, "add it with repositories.add({ name: '$1', url })"],
  [/(?:via|with) 'helm repo add'/g, 'with repositories.add({ name, url })'],
  [/\('helm repo add'\)/g, '(repositories.add)'],
  [/the identity with --identity FILE, or the passphrase with --passphrase-file FILE/g, 'identities or passphrase'],
  [/--report FILE keeps them all/g, 'see the details of the error for all of them'],
];

/** A text for users of the command line in the words of the library: options where it speaks of flags. */
export function forPrograms(text: string): string {
  let told = text;
  for (const [flags, words] of otherwise) told = told.replace(flags, words);
  return told.replace(
    /(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?:=([\w-]+)| DURATION\b)?/g,
    (whole, flag: string, value?: string) => {
      const option = optionOfFlag[flag];
      if (option === undefined) return whole;
      return value === undefined ? option : `${option}: ${/^(?:true|false)$/.test(value) ? value : `'${value}'`}`;
    },
  );
}

/** A failure as the library tells it. The one that it was is its cause where its message is another. */
export function failureForPrograms(thrown: unknown): unknown {
  const failure = withYamlProblem(thrown);
  if (!(failure instanceof TshelmError)) return failure;
  if (hasCode(failure, 'bad-flag')) return badOption(failure);
  if (quotesPrograms(failure)) return failure;
  const message = ownWords(withName(failure), apiServerTexts(failure));
  if (hasCode(failure, 'stack-failed')) return stackFailure(failure, message);
  const details = detailsForPrograms(failure);
  const isSame = message === failure.message && JSON.stringify(details) === '{}';
  return isSame ? failure : failure.wrapped({ message, details });
}

/** What the API server and its webhooks said: their flags are not ours. */
const apiServerTexts = (failure: TshelmError): readonly string[] =>
  causesOf(failure).flatMap((cause) => (hasCode(cause, 'api-error') && cause.message !== '' ? cause.message : []));

/** As {@link forPrograms}, with the texts of others left as they are. */
function ownWords(text: string, others: readonly string[]): string {
  const quoted = others.find((other) => text.includes(other));
  if (quoted === undefined) return forPrograms(text);
  return text
    .split(quoted)
    .map((part) => ownWords(part, others))
    .join(quoted);
}

/** Whether its message repeats what a pod's log, a chart or a program of the user says: their flags are not ours. */
const quotesPrograms = (failure: TshelmError): boolean =>
  causesOf(failure).some((cause) =>
    hasCode(cause, 'wait-failed', 'wait-timeout', 'hook-failed', 'template-error', 'post-renderer-failed'),
  );

/** Values of options that only the command line checks by itself. */
function badOption(failure: TshelmError<'bad-flag'>): TshelmError {
  const option = optionOfFlag[/^--([a-z-]+)/.exec(failure.message)?.[1] ?? ''];
  const details = option === undefined ? {} : { option };
  return new TshelmError('bad-options', { message: forPrograms(failure.message), details, cause: failure });
}

/** Helm does not name the release that it does not find; a program may have asked for a hundred. */
function withName(failure: TshelmError): string {
  const { message } = failure;
  if (hasCode(failure, 'release-not-found'))
    return message.replace(/^release: not found$/, `release "${failure.details.release}" not found`);
  if (hasCode(failure, 'revision-not-found')) {
    const { release, revision, revisions } = failure.details;
    return message.replace(
      /^(?:release: not found|release has no \d+ version)$/,
      `release "${release}" has no revision ${revision}; it has ${revisions.join(', ')}`,
    );
  }
  if (hasCode(failure, 'release-exists')) {
    const { release, revision } = failure.details;
    return message.replace(/^release: already exists$/, `revision ${revision} of release "${release}" already exists`);
  }
  return message;
}

/** The advice in its details, or in those of its causes, where it speaks of flags. */
function detailsForPrograms(failure: TshelmError): KnownDetails {
  const notes = addedDetail(failure, 'notes');
  const told = notes?.map(forPrograms);
  return told === undefined || told.every((note, index) => note === notes?.[index]) ? {} : { notes: told };
}

/** With what each release failed with in the same words. */
function stackFailure({ details, cause }: TshelmError<'stack-failed'>, message: string): TshelmError {
  const errors = Object.entries(details.errors).map(([id, error]) => [id, failureForPrograms(error)]);
  return new TshelmError('stack-failed', {
    message,
    details: { ...details, errors: Object.fromEntries(errors) },
    cause,
  });
}

/** Runs work whose failures leave the library. */
export async function withFailuresForPrograms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureForPrograms(error);
  }
}

/** The same for work that does not wait. */
export function withFailuresForProgramsSync<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureForPrograms(error);
  }
}

/** Whether `thrown` is a failure of tshelm. */
export function isTshelmError(thrown: unknown): thrown is TshelmError;
/** Whether it is one of these codes: `if (isTshelmError(error, 'wait-failed')) error.details.unready`. */
export function isTshelmError<Code extends ErrorCode>(
  thrown: unknown,
  ...codes: readonly [Code, ...Code[]]
): thrown is TshelmError<Code>;
export function isTshelmError(thrown: unknown, ...codes: readonly ErrorCode[]): boolean {
  return codes.length === 0 ? thrown instanceof TshelmError : hasCode(thrown, ...codes);
}
