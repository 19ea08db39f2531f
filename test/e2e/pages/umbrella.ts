import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A chart with subcharts below it, each with two resources; the names of those it waits for are among its siblings. */
export interface Sketch {
  readonly name: string;
  readonly after?: readonly string[] | undefined;
  readonly children?: readonly Sketch[] | undefined;
}

/** Writes the chart into `folder`, which it makes; gives the folder. */
export function writeUmbrella(folder: string, { name, children = [] }: Sketch): string {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  const dependencies = children.map(
    ({ name: child, after = [] }) => `- {name: ${child}, version: 1.0.0, depends-on: [${after.join(', ')}]}\n`,
  );
  writeFileSync(
    join(folder, 'Chart.yaml'),
    `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${dependencies.length > 0 ? `dependencies:\n${dependencies.join('')}` : ''}`,
  );
  writeFileSync(join(folder, 'templates/all.yaml'), `${deployment(name)}---\n${service(name)}`);
  for (const child of children) writeUmbrella(join(folder, 'charts', child.name), child);
  return folder;
}

const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: example}]}
`;

const service = (name: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {selector: {app: ${name}}, ports: [{port: 80}]}\n`;

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(3, '0')}`);

/** So many subcharts side by side; of every four one waits for nothing and nobody, the others form a tree. */
export function sideBySide(count: number): Sketch {
  const all = names('svc', count);
  const inTree = all.filter((_, index) => index % 4 !== 3);
  const children = all.map((name) => {
    const place = inTree.indexOf(name);
    return { name, after: place > 0 ? [inTree[Math.floor(place / 3)] as string] : [] };
  });
  return {
    name: 'shop',
    children: children.map((child) => (child.after[0] === child.name ? { name: child.name } : child)),
  };
}

/** Teams of which each has so many subcharts of its own, every one after the one before it in threes. */
export function inTeams(teams: number, each: number): Sketch {
  return {
    name: 'company',
    children: names('team', teams).map((team, index) => {
      const own = names(`${team}-app`, each);
      const children = own.map((name, at) => ({ name, after: at < 3 ? [] : [own[at - 3] as string] }));
      return {
        name: team,
        after: index === 0 ? [] : [`team-${String(Math.ceil(index / 2)).padStart(3, '0')}`],
        children,
      };
    }),
  };
}

/** Half of them wait for all of the other half. */
export function halves(count: number): Sketch {
  const all = names('svc', count);
  const first = all.slice(0, count / 2);
  return { name: 'halves', children: all.map((name, index) => ({ name, after: index < count / 2 ? [] : first })) };
}
