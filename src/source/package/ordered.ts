import chartYaml from './ordered/Chart.yaml?raw';
import helpers from './ordered/templates/_helpers.tpl?raw';
import database from './ordered/templates/database.yaml?raw';
import migration from './ordered/templates/migration.yaml?raw';
import notes from './ordered/templates/NOTES.txt?raw';
import server from './ordered/templates/server.yaml?raw';
import values from './ordered/values.yaml?raw';
import helmignore from './scaffold/.helmignore?raw';

/**
 * The files of a new chart whose parts wait for each other (docs/ordering.md, 2), by annotations that Helm can send too.
 * `<CHARTNAME>` is the place of its name.
 */
export const orderedStarter: Readonly<Record<string, string>> = {
  'Chart.yaml': chartYaml,
  'values.yaml': values,
  '.helmignore': helmignore,
  'templates/database.yaml': database,
  'templates/migration.yaml': migration,
  'templates/server.yaml': server,
  'templates/NOTES.txt': notes,
  'templates/_helpers.tpl': helpers,
};
