import { comprehensions } from './comprehensions.ts';
import { formats } from './formats.ts';
import type { Library } from './library.ts';
import { lists } from './lists.ts';
import { network } from './network.ts';
import { optionals } from './optional.ts';
import { quantities } from './quantities.ts';
import { semver } from './semver.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { urls } from './urls.ts';

/** Kubernetes' own (k8s.io/apiserver/pkg/cel/library), and cel-go's extensions that it enables. */
export const libraries: readonly Library[] = [
  comprehensions,
  formats,
  lists,
  network,
  optionals,
  quantities,
  semver,
  sets,
  strings,
  urls,
];
