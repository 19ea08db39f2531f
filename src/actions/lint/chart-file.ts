import { type RawMetadata, readRawMetadata } from '../../chart/metadata.ts';
import { looseVersion, parseConstraint, satisfies, strictVersion, versionText } from '../../go/semver.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { goTypeOf } from '../../go/value.ts';
import { readYaml } from '../../yaml/index.ts';
import { folderProblem, readText } from './folder.ts';
import { Findings, failureText, type LintMessage } from './message.ts';
import type { LintSubject } from './subject.ts';
import { isEmail, isRequestUrl, isUrl } from './web-text.ts';

const path = 'Chart.yaml';

/** Chart.yaml: readable, complete, its values of the right kind. Go: rules.Chartfile. */
export async function chartFileRule({ directory }: LintSubject): Promise<readonly LintMessage[]> {
  const file = `${directory}/${path}`;
  const found = new Findings();
  found.error(path, (await folderProblem(file)) === undefined ? 'should be a file, not a directory' : undefined);
  const text = await found.tried(path, () => readText(file), cannotParse);
  const metadata = text === undefined ? undefined : await found.tried(path, () => readRawMetadata(text), cannotParse);
  if (text === undefined || metadata === undefined) return found.messages;
  found.warning(path, strictProblem(text));
  found.error(path, nameProblem(metadata));
  found.error(path, apiVersionProblem(metadata));
  found.error(path, textProblem(text, 'version'));
  found.error(path, versionProblem(metadata));
  found.error(path, textProblem(text, 'appVersion'));
  found.error(path, maintainerProblem(metadata));
  found.error(path, sourceProblem(metadata));
  found.info(path, metadata.icon ? undefined : 'icon is recommended');
  found.error(path, iconProblem(metadata));
  found.error(path, typeProblem(metadata));
  found.error(path, dependenciesProblem(metadata));
  found.warning(path, strictVersionProblem(metadata));
  return found.messages;
}

const cannotParse = (cause: unknown): string => `unable to parse YAML\n\t${failureText(cause)}`;

function strictProblem(text: string): string | undefined {
  try {
    readRawMetadata(text, { strict: true });
    return undefined;
  } catch (cause) {
    return `failed to strictly parse chart metadata file\n\t${failureText(cause)}`;
  }
}

function nameProblem({ name = '' }: RawMetadata): string | undefined {
  if (name === '') return 'name is required';
  return name.includes('/') && name !== '/' ? `chart name ${quote(name)} is invalid` : undefined;
}

function apiVersionProblem({ apiVersion = '' }: RawMetadata): string | undefined {
  if (apiVersion === '') return 'apiVersion is required. The value must be either "v1" or "v2"';
  if (apiVersion === 'v1' || apiVersion === 'v2') return undefined;
  return `apiVersion '${apiVersion}' is not valid. The value must be either "v1" or "v2"`;
}

/** A version that looks like a number to YAML. */
function textProblem(text: string, key: 'version' | 'appVersion'): string | undefined {
  const document = readYaml(text);
  if (!(document instanceof Map) || !document.has(key)) return undefined;
  const type = goTypeOf(document.get(key));
  return type === 'string' ? undefined : `${key} should be of type string but it's of type ${type}`;
}

const aboveNothing = parseConstraint('>0.0.0-0');

function versionProblem({ version = '' }: RawMetadata): string | undefined {
  if (version === '') return 'version is required';
  const read = looseVersion(version);
  if (read === undefined) return `version '${version}' is not a valid SemVer`;
  if (satisfies(aboveNothing, read)) return undefined;
  return `version ${quote(versionText(read))} is less than or equal to "0.0.0-0"`;
}

const strictVersionProblem = ({ version = '' }: RawMetadata): string | undefined =>
  strictVersion(version) !== undefined ? undefined : `version '${version}' is not a valid SemVerV2`;

function maintainerProblem({ maintainers = [] }: RawMetadata): string | undefined {
  for (const maintainer of maintainers) {
    if (maintainer === null) return 'a maintainer entry is empty';
    const { name = '', email = '', url = '' } = maintainer;
    if (name === '') return 'each maintainer requires a name';
    if (email !== '' && !isEmail(email)) return `invalid email '${email}' for maintainer '${name}'`;
    if (url !== '' && !isUrl(url)) return `invalid url '${url}' for maintainer '${name}'`;
  }
  return undefined;
}

function sourceProblem({ sources = [] }: RawMetadata): string | undefined {
  const wrong = sources.find((source) => !isRequestUrl(source));
  return wrong === undefined ? undefined : `invalid source URL '${wrong}'`;
}

const iconProblem = ({ icon = '' }: RawMetadata): string | undefined =>
  icon === '' || isRequestUrl(icon) ? undefined : `invalid icon URL '${icon}'`;

const typeProblem = ({ type = '', apiVersion = '' }: RawMetadata): string | undefined =>
  type === '' || apiVersion === 'v2'
    ? undefined
    : `chart type is not valid in apiVersion '${apiVersion}'. It is valid in apiVersion 'v2'`;

const dependenciesProblem = ({ dependencies = [], apiVersion = '' }: RawMetadata): string | undefined =>
  dependencies.length === 0 || apiVersion === 'v2'
    ? undefined
    : `dependencies are not valid in the Chart file with apiVersion '${apiVersion}'. They are valid in apiVersion 'v2'`;
