import { hidden } from './known-words.ts';
import { isReference, isSecretName } from './secret-names.ts';

/**
 * The text without what is a secret by its form, whatever its name: private keys, tokens of well-known services, hashes of
 * passwords, the password in a URL, the addresses of webhooks, Authorization headers, passwords of SQL statements. Each line
 * stays a line. Every pattern begins with a literal at which no other match can begin, so the time grows with the length.
 */
export function withoutSecretForms(text: string): string {
  let rest = withoutPrivateKeys(text);
  if (rest.includes('://')) rest = withoutWebhooks(withoutUrlPasswords(rest));
  rest = rest.replace(token, hidden);
  rest = withoutTagged(rest);
  if (/authorization/i.test(rest)) rest = rest.replace(authorization, maskedAfterHead);
  if (rest.includes('$')) rest = rest.replace(passwordHash, hidden);
  if (/\b(?:identified|password|encrypted)\b/i.test(rest)) rest = rest.replace(sqlPassword, maskedAfterHead);
  return rest
    .replace(wordAndSecret, maskedAfterHead)
    .replace(userAndPassword, maskedAfterHead)
    .replace(shortOption, maskedAfterHead);
}

/** The head and the end of a key stay, so that a reader sees what was there; without an end, what looks like a key goes. */
function withoutPrivateKeys(text: string): string {
  const pieces: string[] = [];
  let last = 0;
  const lastEnd = text.lastIndexOf(keyEnd);
  for (let at = text.indexOf(keyBegin); at !== -1; at = text.indexOf(keyBegin, at)) {
    at += keyBegin.length;
    keyHead.lastIndex = at;
    if (!keyHead.test(text)) continue;
    const start = keyHead.lastIndex;
    const end = start > lastEnd ? -1 : text.indexOf(keyEnd, start);
    keyBody.lastIndex = start;
    const stop = end !== -1 ? end : keyBody.test(text) ? keyBody.lastIndex : start;
    const body = text.slice(start, stop);
    at = stop;
    if (body.includes('{{')) continue;
    pieces.push(
      text.slice(last, start),
      body.replace(keyPart, (part) => (/^(?:\\[nrt]|\*)/.test(part) ? part : hidden)),
    );
    last = stop;
  }
  return last === 0 ? text : pieces.join('') + text.slice(last);
}

const keyBegin = '-----BEGIN ';
const keyEnd = '-----END ';
/** What ends a line in JSON, what is masked already, and a part of the key. */
const keyPart = /\\[nrt]|\*{3}(?: \((?:before|after)\))?|[^\s\\]+|\\/g;
const keyHead = /[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const keyBody = /(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})+/y;

const token = new RegExp(
  `(?<![\\w-])(?:${[
    'gh[pousr]_[A-Za-z0-9]{16,}',
    'github_pat_\\w{22,}',
    'gl(?:pat|rt|dt|ptt|ft|soat|cbt)-[\\w-]{16,}',
    'xox[abeoprs]-[\\w-]{10,}',
    'xapp-[\\w-]{10,}',
    '[sr]k_(?:live|test)_\\w{10,}',
    'sk-(?=[\\w-]{0,100}[A-Z])(?=[\\w-]{0,100}\\d)[\\w-]{20,}',
    'AIza[\\w-]{35}',
    'ya29\\.[\\w-]{10,}',
    'npm_[A-Za-z0-9]{30,}',
    'pypi-[\\w-]{30,}',
    'do[opr]_v1_[0-9a-f]{32,}',
    'hv[sbr]\\.[\\w-]{20,}',
    'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    'eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}',
    'AGE-SECRET-KEY-1[0-9A-Z]{20,}',
    'whsec_\\w{16,}',
    'dckr_pat_[\\w-]{16,}',
    'shp(?:at|ca|pa|ss)_\\w{16,}',
    'hf_[A-Za-z0-9]{20,}',
    'gsk_[A-Za-z0-9]{20,}',
    'glsa_\\w{20,}',
    'glc_[\\w=-]{20,}',
    'ATATT[\\w=-]{20,}',
    'PMAK-[\\w-]{20,}',
    'NRAK-[A-Z0-9]{20,}',
    'lin_api_\\w{20,}',
    'pul-[0-9a-f]{40}',
    'sntrys_[\\w=+/-]{20,}',
    'key-[0-9a-f]{32}(?![0-9a-f])',
  ].join('|')})(?![\\w-])`,
  'g',
);

/** bcrypt, crypt, apr1, argon2, scrypt: `$2y$10$…`, `$6$salt$…`. */
const passwordHash =
  /(?<![\w$])\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|(?:1|5|6|7|y|apr1|sha1)\$[^\s$"',:]{1,40}\$[^\s"',:]{8,}|(?:argon2id?|argon2d|scrypt|pbkdf2[\w-]{0,20})\$[^\s"']{16,})/g;

const authorization =
  /(\b(?:proxy-)?authorization["']?\s{0,20}[:=]\s{0,20}(?:\\?["'])?(?:(?:bearer|basic|digest|token|apikey)\s{1,20}|(?<=["'])))([^\s"',;\\]+)/gi;

const sqlPassword =
  /(\b(?:identified\s{1,9}(?:with\s{1,9}\w{1,40}\s{1,9})?by|(?:encrypted\s{1,9})?password)\s{1,9}(?:=\s{1,9})?)('(?:[^'\\]|\\.|'')+')/gi;

/** `<password>x</password>` */
const withoutTagged = (text: string): string =>
  text.includes('</')
    ? text.replace(tagged, (whole, head: string, name: string, value: string) =>
        isSecretName(name) && !isReference(value) ? `${head}${hidden}` : whole,
      )
    : text;
const tagged = /(<([A-Za-z][\w.-]{0,100})>)([^<>\n]+)(?=<\/)/g;

/** `requirepass x` of redis, `login a password b` of netrc, `sshpass -p x`. */
const wordAndSecret =
  /((?:(?<![\w.-])(?:requirepass|masterauth|sshpass -p)|(?<![\w.-])login \S{1,100} password)[ \t]+["']?)([^\s"'-][^\s"']*)/g;

/** `curl -u user:password`; `1000:1000` are numbers of a user and a group. */
const userAndPassword =
  /((?<![\w-])(?:-u|--user)(?:[= ]|["'],\s{0,20}["'])["']?(?!\d+:\d+\b)[\w.@-]{1,100}:)([^\s"':/]+)/g;

/** `redis-cli -a x`, `mysql -px`: the short options of clients whose long names say that they are passwords. */
const shortOption =
  /((?<![\w.-])(?:redis-cli(?=[ \t"'])[^\n|;&]{0,200}?[\s"']-a(?:[ \t]+|["'],\s{0,20}(?=["']))|(?:mysql|mariadb)(?:-?(?:admin|dump|check|import|show|slap|binlog))?(?=[ \t"'])[^\n|;&]{0,200}?[\s"']-p)["']?)([^\s"';|&-][^\s"';|&]*)/g;

const maskedAfterHead = (whole: string, head: string, secret: string): string => {
  const quote = /^["']/.exec(secret)?.[0] ?? '';
  const plain = quote === '' ? secret : secret.slice(1, -1);
  return isReference(plain) ? whole : `${head}${quote}${hidden}${quote}`;
};

/** `://user:password@`, and a token alone: `://ghp_…@`. */
function withoutUrlPasswords(text: string): string {
  const password = /([^\s/:@"'`]*):([^\s/@"'`]+)@/y;
  const pieces: string[] = [];
  let last = 0;
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at)) {
    password.lastIndex = at + 3;
    const match = password.exec(text);
    at += 3;
    if (match === null || isReference(match[2] ?? '')) continue;
    pieces.push(text.slice(last, at), `${match[1]}:${hidden}@`);
    last = at + match[0].length;
    at = last;
  }
  return last === 0 ? text : pieces.join('') + text.slice(last);
}

/** What follows the addresses at which whoever knows them may write. */
function withoutWebhooks(text: string): string {
  return text.replace(webhook, (whole, head: string, rest: string) => (isReference(rest) ? whole : `${head}${hidden}`));
}

const webhook = new RegExp(
  `(://(?:${[
    'hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/',
    '(?:\\w{1,20}\\.)?discord(?:app)?\\.com/api/webhooks/',
    '[\\w-]{1,63}\\.webhook\\.office\\.com/webhookb?2?/',
    'outlook\\.office(?:365)?\\.com/webhook/',
    'api\\.telegram\\.org/bot',
    'hooks\\.zapier\\.com/hooks/catch/',
    'maker\\.ifttt\\.com/trigger/\\w{1,100}/with/key/',
    'events\\.pagerduty\\.com/integration/',
    'hc-ping\\.com/',
    'oapi\\.dingtalk\\.com/robot/send\\?access_token=',
    'qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=',
    'open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/',
    'chat\\.googleapis\\.com/v1/spaces/',
    '[\\w-]{1,63}\\.logic\\.azure\\.com(?::443)?/workflows/',
    'webhook\\.site/',
    'api\\.opsgenie\\.com/v1/json/\\w{1,40}\\?apiKey=',
    'mattermost\\.[\\w.-]{1,100}/hooks/',
  ].join('|')}))([^\\s"'\`<>)\\]},;]*[^\\s"'\`<>)\\]},;:.])`,
  'g',
);
