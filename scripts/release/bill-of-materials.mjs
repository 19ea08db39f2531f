// What an executable contains, as SPDX 2.3 lists it (https://spdx.github.io/spdx-spec/v2.3/).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The JSON text: tshelm, the packages that the bundle took in, and the runtime that it is compiled into. */
export function billOfMaterials(root, target, madeAt) {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'scripts/release/package.json'), 'utf8'));
  const inside = [
    ...bundledIn(readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES'), 'utf8')),
    { name: 'openpgp', ...versionAndLicense(join(root, 'node_modules/openpgp/package.json')) },
    { name: 'bun', version: dependencies.bun, license: 'MIT' },
    { name: 'JavaScriptCore', version: `of-bun-${dependencies.bun}`, license: 'LGPL-2.1-or-later' },
    { name: 'BoringSSL', version: `of-bun-${dependencies.bun}`, license: 'Apache-2.0 AND ISC AND OpenSSL' },
  ];
  const packages = [{ name: own.name, version: own.version, license: own.license }, ...inside].map(asPackage);
  const [described] = packages;
  const digest = createHash('sha256')
    .update(JSON.stringify([target, packages]))
    .digest('hex');
  return `${JSON.stringify(
    {
      spdxVersion: 'SPDX-2.3',
      dataLicense: 'CC0-1.0',
      SPDXID: 'SPDXRef-DOCUMENT',
      name: `tshelm-${own.version}-${target}`,
      documentNamespace: `https://spdx.org/spdxdocs/tshelm-${own.version}-${target}-${digest}`,
      creationInfo: {
        created: madeAt.toISOString().replace('.000Z', 'Z'),
        creators: [`Tool: tshelm-release-${own.version}`],
      },
      packages,
      relationships: [
        relationship('SPDXRef-DOCUMENT', 'DESCRIBES', described.SPDXID),
        ...packages.slice(1).map(({ SPDXID }) => relationship(described.SPDXID, 'CONTAINS', SPDXID)),
      ],
    },
    undefined,
    2,
  )}\n`;
}

/** The first line of each notice: `NAME VERSION (LICENCE)`. */
function bundledIn(notices) {
  return notices.split(`\n${'-'.repeat(80)}\n\n`).map((notice) => {
    const [, name, version, license] = /^(\S+) (\S+) \((.+)\)/.exec(notice) ?? [];
    if (license === undefined) throw new Error(`THIRD-PARTY-NOTICES: ${notice.slice(0, 60)}`);
    return { name, version, license };
  });
}

function versionAndLicense(file) {
  const { version, license } = JSON.parse(readFileSync(file, 'utf8'));
  return { version, license: license.replace(/\+$/, '-or-later') };
}

const asPackage = ({ name, version, license }) => ({
  // Two versions of one package may be inside.
  SPDXID: `SPDXRef-Package-${`${name}-${version}`.replaceAll(/[^A-Za-z0-9.-]/g, '-')}`,
  name,
  versionInfo: version,
  downloadLocation: 'NOASSERTION',
  filesAnalyzed: false,
  licenseConcluded: license,
  licenseDeclared: license,
  copyrightText: 'NOASSERTION',
  externalRefs: [
    {
      referenceCategory: 'PACKAGE-MANAGER',
      referenceType: 'purl',
      referenceLocator: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    },
  ],
});

const relationship = (spdxElementId, relationshipType, relatedSpdxElement) => ({
  spdxElementId,
  relationshipType,
  relatedSpdxElement,
});
