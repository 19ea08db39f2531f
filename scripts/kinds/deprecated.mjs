import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesFolder, minors } from './modules.mjs';
import { schemaData } from './schema.mjs';

/** The fields of served kinds that the OpenAPI document of the newest version calls deprecated: `PodSpec.serviceAccount`. */
export function deprecatedFields() {
  const file = join(kubernetesFolder(minors.at(-1)), 'api/openapi-spec/swagger.json');
  const served = new Set(schemaData().definitions.map(([name]) => name.replace('!', '')));
  const fields = [];
  for (const [name, { properties = {} }] of Object.entries(JSON.parse(readFileSync(file, 'utf8')).definitions)) {
    const owner = name.split('.').at(-1);
    for (const [field, { description = '' }] of Object.entries(properties)) {
      const isDeprecated = /Deprecated[.:]|\b(?:is|as) deprecated\b/.test(description);
      if (isDeprecated && served.has(owner)) fields.push(`${owner}.${field}`);
    }
  }
  return fields.sort();
}
