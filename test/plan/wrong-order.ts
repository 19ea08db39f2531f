const map = (name: string, annotations: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  annotations:\n${annotations}`;

/** A chart whose order is wrong in every way at once, and what is said of it in one run. */
export const wrongOrder = {
  files: {
    'Chart.yaml':
      'apiVersion: v2\nname: wrong\nversion: 1.0.0\ndependencies:\n- {name: a, version: 1.0.0, depends-on: [b]}\n- {name: b, version: 1.0.0, depends-on: [a]}\n- {name: redis, version: 1.0.0}\n- {name: web, version: 1.0.0, depends-on: [rediss]}\n',
    ...Object.fromEntries(
      ['a', 'b', 'redis', 'web'].map((name) => [
        `charts/${name}/Chart.yaml`,
        `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      ]),
    ),
    'templates/one.yaml': map('one', '    helm.sh/resource-group: one\n    helm.sh/depends-on/resource-groups: two\n'),
    'templates/two.yaml': map('two', '    helm.sh/resource-group: two\n    helm.sh/depends-on/resource-groups: one\n'),
    'templates/weight.yaml': map('weight', '    helm.sh/weight: heavy\n'),
    'templates/both.yaml': map('both', '    helm.sh/weight: "1"\n    helm.sh/layer: l\n'),
    'templates/groups.yaml': map('groups', '    helm.sh/resource-group: g\n    helm.sh/layer: l\n'),
    'templates/unknown.yaml': map(
      'unknown',
      '    helm.sh/resource-group: u\n    helm.sh/depends-on/resource-groups: nobody\n',
    ),
    'templates/alone.yaml': map('alone', '    helm.sh/resource-group: alone\n'),
  },
  told: [
    "the chart's order has 6 mistakes:",
    'subcharts of wrong wait for each other: a -> b -> a; remove one of these:',
    'a waits for b because of Chart.yaml depends-on (wrong/Chart.yaml:5)',
    'b waits for a because of Chart.yaml depends-on (wrong/Chart.yaml:6)',
    'wrong/Chart.yaml:8: depends-on of web names "rediss", which is not a dependency of chart wrong; did you mean "redis"?',
    'resource groups of wrong wait for each other: one -> two -> one; remove one of these:',
    'one waits for two because of helm.sh/depends-on/resource-groups of ConfigMap/one (wrong/templates/one.yaml:7)',
    'two waits for one because of helm.sh/depends-on/resource-groups of ConfigMap/two (wrong/templates/two.yaml:7)',
    'wrong/templates/weight.yaml:6: ConfigMap/weight has the weight "heavy"; helm.sh/weight takes a whole number such as "-5"',
    'wrong/templates/both.yaml:6: ConfigMap/both ',
    'wrong/templates/groups.yaml',
  ],
} as const;
