/**
 * Whether what is assigned to this name is likely a secret: `dbPassword`, `API_TOKEN`, `tls.key`. A name that describes a
 * secret (`existingSecret`, `passwordFile`, `maxTokens`, `tokenTTL`) is none.
 */
export const isSecretName = remembered((name) => {
  const words = wordsOf(name);
  if (words.length === 0 || describing.has(words[0] as string) || namesSecretObject(name, words)) return false;
  while (words.length > 1 && qualifiers.has(words.at(-1) as string)) words.pop();
  const [before = '', last = ''] = [words.at(-2), words.at(-1)];
  return (
    (secretEnd.test(last) && !openPasses.has(last)) ||
    secretWords.has(last) ||
    (['key', 'keys'].includes(last) && secretKeys.has(before)) ||
    pairs.has(`${before} ${last}`)
  );
});

/** Whether the name is that of a secret if its value looks random: `key`, `routing_key`, `auth`, `sig`. */
export const isSecretNameOfRandomText = remembered((name) => {
  const words = wordsOf(name);
  const [before = '', last = ''] = [words.at(-2), words.at(-1)];
  return !describing.has(words[0] ?? '') && randomSecrets.has(last) && !openKeys.has(before);
});

/** Whether a member of a map under a secret's name (`secret: {secretName: x, defaultMode: 420}`) only describes the secret. */
export const describesSecret = (name: string): boolean => describingMember.test(name) && !isSecretName(name);

/** Names repeat themselves in a log. */
function remembered(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = ask(name);
    if (answers.size >= 5_000) answers.clear();
    if (name.length <= longestName) answers.set(name, answer);
    return answer;
  };
}

const longestName = 200;

/** The words of the last part of a dotted name, in lower case. */
function wordsOf(name: string): string[] {
  const words = name
    .slice(-longestName)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter((word) => word !== '');
  const dotted = words.findLastIndex((word) => word.includes('.'));
  if (dotted === -1) return words;
  const parts = (words[dotted] as string).split('.').filter((part) => part !== '');
  // `tls.key` and `.pgpass` are names of files; `auth.password` is a path.
  const start = parts.at(-1) === 'key' ? -2 : -1;
  return [...parts.slice(start), ...words.slice(dotted + 1)];
}

const secretEnd =
  /(?:password|passwd|passphrase|passcode|pass|pwd|secret|token|credential|htpasswd|apikey|privatekey|secretkey|accesskey|signingkey|encryptionkey|authkey|dockerconfigjson|dockercfg|connectionstring)(?:s|\d+)?$/;
const openPasses: ReadonlySet<string> = new Set(
  'by com encom tres sur over under multi single one two first second'
    .split(' ')
    .flatMap((word) => [`${word}pass`, `${word}passes`]),
);
const randomSecrets: ReadonlySet<string> = new Set('auth jwt key salt seed sig signature'.split(' '));
const secretWords: ReadonlySet<string> = new Set(
  'adminpw bearer bindpw cred creds dbpw dsn masterauth mnemonic pgpass psk pw rootpw userpw'.split(' '),
);
const secretKeys: ReadonlySet<string> = new Set(
  'access account admin aes api app auth cipher client cookie crypt crypto deploy encrypt encryption gpg hmac jwt license master pgp private recovery root rsa sas secret session shared sign signature signing ssh storage tls unseal write'.split(
    ' ',
  ),
);
const openKeys: ReadonlySet<string> = new Set(
  'cache foreign group hash id index object partition primary public range sort'.split(' '),
);
const pairs: ReadonlySet<string> = new Set(['connection string', 'key base', 'pass word', 'password hash']);

/** Words behind a name that say which or how: `PASSWORD_OLD`, `tokenValue`. */
const qualifiers: ReadonlySet<string> = new Set(
  'b64 base64 current decoded encoded new old plain plaintext prev previous primary raw replica secondary value 0 1 2 3 4 5 6 7 8 9'.split(
    ' ',
  ),
);

/** Words that begin a name which says something about a secret. */
const describing: ReadonlySet<string> = new Set(
  'allow automount checksum count create creates disable disabled enable enabled existing generate has is limit max min mount no num number per require required requires rotate total use uses using'.split(
    ' ',
  ),
);

/** `tlsSecret: web-tls`, `pullSecret`, the annotation `…/auth-tls-secret`: names of Secret objects. */
const namesSecretObject = (name: string, words: readonly string[]): boolean =>
  /secrets?$/i.test(name) && (name.includes('/') || secretObjects.has(words.at(-2) ?? ''));
const secretObjects: ReadonlySet<string> = new Set(
  'ca cert certificate certs existing external image keystore pull ssl tls truststore'.split(' '),
);

const describingMember =
  /(?:name|namespace|annotations|labels|enabled?|created?|type|kind|paths?|key|mode|optional|audience|seconds|version|ref|format|description|provider|mount|length|ttl|expiry|expires|rotation|required|pattern|example|title|items|algorithm|size|policy|group|backend|store|engine|url|host|port|immutable|usage|from)$/i;

/**
 * Whether a value says only where a secret comes from, that there is none, or is public by its form: `$DB_PASSWORD`, `$(…)`,
 * `${…}`, `{{ … }}`, `<password>`, `***`, the path of a file, a reference to a vault, an SSH public key.
 */
export const isReference = (value: string): boolean =>
  (value.length <= longestReference && reference.test(value)) || computed.test(value) || publicForm.test(value);

const longestReference = 500;
const computed = /\$[({]|\{\{|%\(/;
const publicForm = /^(?:ssh-(?:rsa|dss|ed25519) |ecdsa-sha2-|-----BEGIN (?:CERTIFICATE|PUBLIC|RSA PUBLIC|EC PUBLIC))/;
const reference = new RegExp(
  `^(?:${[
    String.raw`\**(?: \((?:before|after)\))?`,
    String.raw`\$\$?[A-Za-z_]\w*(?:[.[][\w.[\]'"]*)?`,
    String.raw`\$env:\w+`,
    String.raw`%\w+%`,
    String.raw`@\w+@`,
    String.raw`<[^<>]*>`,
    String.raw`\[?(?:redacted|REDACTED|hidden|masked|removed|omitted)\]?`,
    String.raw`[xX]{3,}|\.{3,}|…`,
    String.raw`[Tt]rue|[Ff]alse|TRUE|FALSE|null|nil|None|none|undefined|yes|no|~|\?`,
    String.raw`(?:ref\+|secretref\+|vault:|op://|env:|file:|ssm:|awssm:|arn:aws:|projects/[\w-]+/secrets/)\S*`,
    String.raw`/(?:run|var|etc|mnt|vault|secrets?|opt|home|usr|tmp|certs?|config|data)/[\w./-]*`,
    // In base64 capitals would stand.
    String.raw`/[a-z0-9._-]+(?:/[a-z0-9._-]+)*`,
    String.raw`YOUR[_-][A-Z_-]+`,
    String.raw`(?:process\.env|os\.environ|os\.getenv|System\.getenv|ENV)\b\S*`,
  ].join('|')})$`,
);
