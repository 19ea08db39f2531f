import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { headingId } from '../../../src/cli/manual/heading-id.ts';
import { searchOptions } from '../search.mjs';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const pages = join(here, 'pages');
const item = (text, name) => ({ text, link: `/${name}`, name });
const isThere = ({ name }) => existsSync(join(pages, `${name}.md`)) || name.endsWith('/');
const section = (text, items, collapsed = false) => ({ text, collapsed, items: items.filter(isThere) });
const namesIn = (folder) =>
  readdirSync(join(pages, folder))
    .filter((name) => name.endsWith('.md') && !/^(index|README)\.md$/.test(name))
    .map((name) => name.replace(/\.md$/, ''))
    .sort();

/** An arrow from one box to the next: what is deployed first, and what after it. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3451b2" d="M1 2h6v5H1zM9 9h6v5H9z"/><path fill="none" stroke="#3451b2" stroke-width="2" d="M4 7v4.5h4"/></svg>';

export default defineConfig({
  title: 'tshelm',
  description: 'A Helm-compatible deploy tool for Kubernetes: ordered, parallel, and clear about what went wrong.',
  srcDir: 'pages',
  outDir: join(here, '../../site'),
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  // Schemas and licences are files, no pages; scripts/site/links.mjs looks for those too.
  ignoreDeadLinks: [/\.schema$/, /LICENSE/],
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    outline: 'deep',
    sidebar: [
      section('Start', [
        item('What it is, install', 'start'),
        item('Commands, exit codes', 'use'),
        item('From Helm', 'from-helm-3'),
        item('Charts from anywhere', 'charts'),
        item('Trust', 'trust'),
        item('Playground', 'playground'),
        item('The sandbox', 'sandbox'),
      ]),
      section('Deploy', [
        item('Order', 'ordering'),
        item('The way to an order', 'order-guide'),
        item('Waiting', 'waiting'),
        item('Check', 'check'),
        item('In an editor', 'editor'),
        item('Diff and drift', 'diff-and-drift'),
        item('Saved plans', 'saved-plans'),
        item('Rehearse', 'rehearse'),
        item('Recovery', 'recovery'),
        item('Moves', 'moves'),
        item('Stacks of releases', 'stack'),
        item('Troubleshooting', 'troubleshooting'),
      ]),
      section('In pipelines', [
        item('CI recipes', 'ci'),
        item('Progress and CI output', 'progress'),
        item('The report', 'report'),
        item('Secrets', 'secrets'),
      ]),
      section('Build on it', [
        item('SDK', 'sdk'),
        item('Agents: MCP', 'mcp'),
        item('Go templates', 'go-template'),
        item('Many releases, one process', 'loops'),
        item('API of the SDK', 'api'),
        item('Architecture', 'architecture'),
        item('Contributing', 'contributing'),
      ]),
      section('Reference', [
        item('Errors', 'errors'),
        item('Problems', 'problems'),
        item('Changes', 'changelog'),
        item('Versions', 'versioning'),
        item('Proofs', 'proofs'),
        item('All commands', 'reference/'),
      ]),
      section(
        'Commands',
        namesIn('reference').map((name) => item(name.replaceAll('_', ' '), `reference/${name}`)),
        true,
      ),
      section(
        'Decisions',
        namesIn('decisions').map((name) => item(name, `decisions/${name}`)),
        true,
      ),
    ],
  },
  markdown: {
    // An address in a description of a flag is an example, not a link.
    linkify: false,
    // Colours of code that stand out from their background by 4.5 to 1.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: headingId },
    config(markdown) {
      const fence = markdown.renderer.rules.fence;
      markdown.renderer.rules.fence = (tokens, index, ...rest) =>
        tokens[index].info.trim() === 'mermaid'
          ? `<Diagram code="${encodeURIComponent(tokens[index].content)}" />`
          : fence(tokens, index, ...rest);
      // `{{ .Values.a }}` in a line of text is a template's, not the page's.
      const code = markdown.renderer.rules.code_inline;
      markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index].attrSet('v-pre', '');
        return code(tokens, index, ...rest);
      };
    },
  },
});
