import { chartFileRule } from '../../../../src/actions/lint/chart-file.ts';
import { crdsRule } from '../../../../src/actions/lint/crds.ts';
import { dependenciesRule } from '../../../../src/actions/lint/dependencies.ts';
import type { LintRule, LintSubject } from '../../../../src/actions/lint/subject.ts';
import { templatesRule } from '../../../../src/actions/lint/templates.ts';
import { valuesRule } from '../../../../src/actions/lint/values.ts';
import { chartFromFiles } from '../../../../src/chart/assemble.ts';
import { readDirectory } from '../../../../src/chart/directory.ts';
import { ignoreNotices } from '../../../../src/chart/notice.ts';
import { goMap } from '../go-values.ts';
import { errorOf, fieldsOf, itemsOf, pathOf, plain, type Recorded, textOf } from '../records.ts';
import { inOrder, type Twin, type Twins } from '../twin.ts';

const severities = ['unknown', 'info', 'warning', 'error'];

/** What Helm found: `error Chart.yaml: name is required`, a copied chart's folder by the copy's name. */
const goMessages = (linter: Recorded | undefined, folder: Recorded | undefined): string[] =>
  itemsOf(fieldsOf(linter)?.['Messages']).map((message) => {
    const { Severity: severity, Path: path, Err: error } = fieldsOf(message) ?? {};
    const text = (errorOf(error) ?? '').replaceAll(textOf(folder), pathOf(folder));
    const place = textOf(path).replaceAll(textOf(folder), pathOf(folder));
    return inOrder(`${severities[Number(plain(severity))]} ${place}: ${text}`) ?? '';
  });

async function ownMessages(
  rules: readonly LintRule[],
  {
    directory,
    values,
    namespace,
    skipSchemaValidation,
  }: Pick<LintSubject, 'directory' | 'values' | 'namespace' | 'skipSchemaValidation'>,
): Promise<string[]> {
  const subject: LintSubject = {
    directory,
    values,
    namespace,
    skipSchemaValidation,
    chart: () =>
      Promise.resolve().then(() =>
        chartFromFiles(readDirectory(directory, ignoreNotices), { origin: directory, notify: ignoreNotices }),
      ),
    notify: ignoreNotices,
  };
  const found: string[] = [];
  for (const rule of rules)
    for (const { severity, path, text } of await rule(subject))
      found.push(inOrder(`${severity} ${path}: ${text}`) ?? '');
  return found;
}

/** The order of what is found below one chart comes of Go's maps. */
const all: Twin = async ({ args, results }) => ({
  go: goMessages(results[0], args[0]).sort(),
  ours: (
    await ownMessages([chartFileRule, valuesRule, templatesRule, dependenciesRule, crdsRule], {
      directory: pathOf(args[0]),
      values: goMap(args[1]),
      namespace: textOf(args[2]),
    })
  ).sort(),
});

const one =
  (rule: LintRule, valuesAt = 1): Twin =>
  async ({ args, after }) => {
    const folder = fieldsOf(args[0])?.['ChartDir'];
    const before = goMessages(args[0], folder).length;
    const namespace = valuesAt === 2 ? textOf(args[1]) : '';
    return {
      go: goMessages(after?.[0], folder).slice(before).sort(),
      ours: (
        await ownMessages([rule], {
          directory: pathOf(folder),
          values: goMap(args[valuesAt]),
          namespace,
          skipSchemaValidation: rule === valuesRule && args[2] === true,
        })
      ).sort(),
    };
  };

export const lintTwins: Twins = {
  'lint.RunAll': all,
  'rules.Chartfile': one(chartFileRule),
  'rules.Crds': one(crdsRule),
  'rules.Dependencies': one(dependenciesRule),
  'rules.Templates': one(templatesRule, 2),
  'rules.ValuesWithOverrides': one(valuesRule),
};
