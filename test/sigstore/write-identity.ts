import { readFileSync, writeFileSync } from 'node:fs';
import { identity, privateSigstore } from './private-sigstore.ts';

// Signs by an identity what cosign has signed by a key; run by record.sh in the folder of the fixtures.
const sigstore = privateSigstore();
writeFileSync('trusted-root.json', sigstore.trustedRoot);
writeFileSync('chart.identity.json', sigstore.signFile(readFileSync('chart.tgz'), identity));
writeFileSync('manifest.identity.json', sigstore.signManifest(readFileSync('manifest.json'), identity));
