import { expect, test } from 'vitest';
import { parseImageReference } from '../../../src/source/oci/image-reference.ts';

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.25', 'docker.io/library/nginx:1.25'],
  ['bitnami/redis:7', 'docker.io/bitnami/redis:7'],
  ['quay.io/a/b', 'quay.io/a/b:latest'],
  ['index.docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['localhost:5000/a:1', 'localhost:5000/a:1'],
  ['localhost/a:1', 'localhost/a:1'],
  ['ghcr.io/a/b:1@sha256:0', 'ghcr.io/a/b:1@sha256:0'],
  ['ghcr.io/a/b@sha256:0', 'ghcr.io/a/b@sha256:0'],
])('%s is %s', (image, whole) => {
  const { registry, repository, tag, digest } = parseImageReference(image);
  expect(`${registry}/${repository}${tag && `:${tag}`}${digest && `@${digest}`}`).toBe(whole);
});
