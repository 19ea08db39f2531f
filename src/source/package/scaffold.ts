import helmignore from './scaffold/.helmignore?raw';
import chartYaml from './scaffold/Chart.yaml?raw';
import helpers from './scaffold/templates/_helpers.tpl?raw';
import deployment from './scaffold/templates/deployment.yaml?raw';
import hpa from './scaffold/templates/hpa.yaml?raw';
import httproute from './scaffold/templates/httproute.yaml?raw';
import ingress from './scaffold/templates/ingress.yaml?raw';
import notes from './scaffold/templates/NOTES.txt?raw';
import service from './scaffold/templates/service.yaml?raw';
import serviceaccount from './scaffold/templates/serviceaccount.yaml?raw';
import testConnection from './scaffold/templates/tests/test-connection.yaml?raw';
import values from './scaffold/values.yaml?raw';

/**
 * The files of a new chart, in the order in which Helm writes them; `<CHARTNAME>` is the place of its name. They are
 * Helm v4.3.1's (Apache License 2.0, The Helm Authors). Go: chartutil.Create.
 */
export const scaffold: Readonly<Record<string, string>> = {
  'Chart.yaml': chartYaml,
  'values.yaml': values,
  '.helmignore': helmignore,
  'templates/ingress.yaml': ingress,
  'templates/httproute.yaml': httproute,
  'templates/deployment.yaml': deployment,
  'templates/service.yaml': service,
  'templates/serviceaccount.yaml': serviceaccount,
  'templates/hpa.yaml': hpa,
  'templates/NOTES.txt': notes,
  'templates/_helpers.tpl': helpers,
  'templates/tests/test-connection.yaml': testConnection,
};
