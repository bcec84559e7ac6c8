import { posix } from 'node:path';
import type { House, Problem } from './house-files.ts';

/** npm commands without `run`. */
const BUILT_IN = new Set(['start', 'test']);

/** Checks pages: scripts, links and paths exist, and another page links to each. */
export function brokenDocs(house: House): Problem[] {
  // CLAUDE.md is a symbolic link to AGENTS.md.
  const pages = house.files.filter((file) => /^([^/]+|(docs|deploy)\/.+)\.md$/.test(file) && file !== 'CLAUDE.md');
  const scripts = getScripts(house);
  const linked = new Set(pages.flatMap((page) => getLinks(house, page)));
  return pages.flatMap((page) => [
    ...unknownScripts(page, house.read(page), scripts),
    ...deadLinks(house, page),
    ...deadPaths(house, page),
    ...(page.startsWith('docs/') && !linked.has(page)
      ? [{ rule: 'docs', file: page, text: 'no other document links to this page' }]
      : []),
  ]);
}

function getScripts(house: House): Set<string> {
  const manifest = JSON.parse(house.read('package.json')) as { scripts?: Record<string, string> };
  return new Set(Object.keys(manifest.scripts ?? {}));
}

function unknownScripts(page: string, text: string, scripts: Set<string>): Problem[] {
  const named = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
  const short = [...text.matchAll(/\bnpm (start|test)\b/g)].map((match) => match[1] ?? '');
  return [...new Set([...named, ...short])]
    .filter((script) => !scripts.has(script))
    .map((script) => ({
      rule: 'docs',
      file: page,
      text: `npm ${BUILT_IN.has(script) ? '' : 'run '}${script} is not a script of package.json`,
    }));
}

/** Targets of the relative links of a page, as paths from the root. */
function getLinks(house: House, page: string): string[] {
  const links = [...house.read(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return links
    .filter((link) => !/^([a-z]+:|#)/.test(link))
    .map((link) => posix.normalize(posix.join(posix.dirname(page), link.replace(/#.*$/, ''))).replace(/\/$/, ''));
}

function deadLinks(house: House, page: string): Problem[] {
  return getLinks(house, page)
    .filter((target) => !exists(house, target))
    .map((target) => ({ rule: 'docs', file: page, text: `links to ${target}, which does not exist` }));
}

/** Paths in backticks must exist, except in decision records, which describe the state at their time. */
function deadPaths(house: House, page: string): Problem[] {
  if (page.startsWith('docs/decisions/')) return [];
  const quoted = [...house.read(page).matchAll(/`((?:apps|packages|e2e|tools|bench|docs)\/[\w./-]+)`/g)];
  return [...new Set(quoted.map((match) => (match[1] ?? '').replace(/\/$/, '')))]
    .filter((path) => !exists(house, path))
    .map((path) => ({ rule: 'docs', file: page, text: `names ${path}, which does not exist` }));
}

function exists(house: House, path: string): boolean {
  return house.files.some((file) => file === path || file.startsWith(`${path}/`));
}
