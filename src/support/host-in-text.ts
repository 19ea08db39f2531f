/** The host of a Service. */
interface Host {
  readonly name: string;
  readonly namespace: string;
}

/** A text, and the name of the variable or the file that holds it. */
interface NamedText {
  readonly value: string;
  readonly key: string;
}

/**
 * How a text names the host of a Service: `db:5432`, `//db/`, `user@db`, `db.shop.svc`, `db.$(NAMESPACE).svc`, `-h db`, `nc db 5432`; or a variable
 * that holds nothing else and is called like a host. A name alone may be any other word. Undefined where it does not.
 */
export function hostIn({ value, key }: NamedText, { name, namespace }: Host): string | undefined {
  for (let at = value.indexOf(name); at >= 0; at = value.indexOf(name, at + 1)) {
    const [before, after] = [value.slice(0, at), value.slice(at + name.length)];
    if (isInName(before.at(-1)) || isInName(after[0])) continue;
    const full = after.startsWith(`.${namespace}`) && !isInName(after[namespace.length + 1]);
    if (full) return `${name}.${namespace}`;
    const variable = namespaceVariable.exec(after);
    if (variable !== null) return `${name}${variable[0]}`;
    if (before.endsWith('.') || after.startsWith('.')) continue;
    const isWhole = before === '' && after === '' && hostKey.test(key);
    if (isWhole || portAfter.test(after) || hostBefore.test(before)) return name;
  }
  return undefined;
}

const isInName = (character: string | undefined): boolean => character !== undefined && nameCharacter.test(character);

const nameCharacter = /[\w-]/;

/** Of the pod itself, as the kubelet or a shell fills it in. */
const namespaceVariable = /^\.\$(?:\(\w*NAMESPACE\)|\{\w*NAMESPACE\}|\w*NAMESPACE\b)/;

/** `:5432`, or as `nc` has it ` 5432`. */
const portAfter = /^(?::|\s+)\d{2,5}\b/;

const hostBefore = /(?:\/\/|@|(?:^|\s)-h\s+|\bhost(?:name)?\s*[=:\s]\s*["']?)$/i;

const hostKey = /host|addr|url|uri|server|endpoint|broker|upstream/i;
