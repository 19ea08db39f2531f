import { defaultMinor } from '../../kinds/field-types.ts';
import { releases } from '../../kinds/releases.ts';
import type { Resource } from '../resource.ts';
import { builtInKinds } from './built-in.ts';
import { customKinds } from './custom.ts';
import { type Kind, storageKey } from './kind.ts';

/** All kinds that are served now: the built-in ones, and those of the established CustomResourceDefinitions. */
export class KindRegistry {
  /** The version of Kubernetes: `36` and `v1.36.3`. */
  readonly minor: number;
  readonly gitVersion: string;
  readonly #builtIn: readonly Kind[];
  readonly #custom = new Map<string, Kind[]>();
  #all: readonly Kind[] | undefined;

  constructor(minor = defaultMinor) {
    this.minor = minor;
    this.gitVersion = `v${releases[minor]}`;
    this.#builtIn = builtInKinds(minor);
  }

  /** Every kind and version, in discovery's order. */
  all(): readonly Kind[] {
    this.#all ??= [...this.#builtIn, ...[...this.#custom.values()].flat()];
    return this.#all;
  }

  /** The kind at a path: `apis/GROUP/VERSION/PLURAL`. */
  at(group: string, version: string, plural: string): Kind | undefined {
    return this.all().find((kind) => kind.plural === plural && kind.group === group && kind.version === version);
  }

  /** The kind of an object. */
  of(apiVersion: string, kindName: string): Kind | undefined {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    const version = apiVersion.slice(slash + 1);
    return this.all().find((kind) => kind.kind === kindName && kind.group === group && kind.version === version);
  }

  /** A kind that is built in, which is always there. */
  builtIn(apiVersion: string, kindName: string): Kind {
    const kind = this.of(apiVersion, kindName);
    if (kind === undefined) throw new Error(`internal: no kind ${apiVersion} ${kindName}`);
    return kind;
  }

  /** The kind of a storage key, at the first version served. */
  byStorageKey(key: string): Kind | undefined {
    return this.all().find((kind) => storageKey(kind) === key);
  }

  serveCustom(definition: Resource): void {
    this.#custom.set(definition.metadata.name, customKinds(definition));
    this.#all = undefined;
  }

  forgetCustom(name: string): void {
    this.#custom.delete(name);
    this.#all = undefined;
  }
}
