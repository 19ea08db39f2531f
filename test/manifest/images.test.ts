import { expect, test } from 'vitest';
import { imagesOf } from '../../src/manifest/images.ts';
import { parseManifests } from '../../src/manifest/parse.ts';

test('images of containers, of custom resources and of volumes, each once; of lists too; text in ConfigMaps is none', () => {
  const manifests = parseManifests(`
---
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      initContainers: [{image: "busybox:1.36"}]
      containers: [{image: "nginx:1.25"}, {image: ""}]
      volumes: [{name: data, image: {reference: "example.com/data:1"}}]
---
kind: Prometheus
metadata: {name: main}
spec: {image: "quay.io/prometheus:2"}
---
kind: CronJob
metadata: {name: nightly}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{image: "nginx:1.25"}]}}}}}
---
kind: ConfigMap
metadata: {name: notes}
data: {image: "not-run:1"}
---
kind: List
items:
- {kind: Pod, metadata: {name: one}, spec: {containers: [{image: "nginx:1.25"}]}}
- {kind: Secret, metadata: {name: two}, data: {image: "not-run:2"}}
---
kind: PodList
items: [{metadata: {name: three}, spec: {containers: [{image: "nginx:1.25"}]}}, text]
`);
  expect(imagesOf(manifests)).toEqual([
    { image: 'busybox:1.36', usedBy: ['Deployment/web'] },
    { image: 'example.com/data:1', usedBy: ['Deployment/web'] },
    { image: 'nginx:1.25', usedBy: ['CronJob/nightly', 'Deployment/web', 'Pod/one', 'Pod/three'] },
    { image: 'quay.io/prometheus:2', usedBy: ['Prometheus/main'] },
  ]);
});
