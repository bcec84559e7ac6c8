import { posix } from 'node:path';
import type { House, Problem } from './house-files.ts';

/** Runs of npm that need no script of that name. */
const BUILT_IN = new Set(['start', 'test']);

/** Documents say what is there: scripts and tests exist, links lead somewhere, paths are real, and no page is left defuseLinks. */
export function brokenDocs(house: House): Problem[] {
  // CLAUDE.md is a link to AGENTS.md and would repeat what is said of it.
  const pages = house.files.filter((file) => /^([^/]+|(docs|deploy)\/.+)\.md$/.test(file) && file !== 'CLAUDE.md');
  const scripts = getScripts(house);
  const linked = new Set(pages.flatMap((page) => getLinks(house, page)));
  return pages.flatMap((page) => [
    ...unknownScripts(page, house.read(page), scripts),
    ...deadLinks(house, page),
    ...deadPaths(house, page),
    ...unknownTests(house, page),
    ...(page.startsWith('docs/') && !linked.has(page)
      ? [{ rule: 'docs', file: page, text: 'no other document links to this page' }]
      : []),
  ]);
}

/** What stands in «» behind the path of a test is the title of one of its tests, or a part of it. */
function unknownTests(house: House, page: string): Problem[] {
  const named = house.read(page).matchAll(/`([\w./-]+\.test\.ts)`((?:,? «[^»]+»)+)/g);
  return Array.from(named).flatMap(([, file = '', titles = '']) => {
    const text = house.files.includes(file) ? house.read(file) : '';
    return Array.from(titles.matchAll(/«([^»]+)»/g), ([, title = '']) => title)
      .filter((title) => !text.includes(title))
      .map((title) => ({ rule: 'docs', file: page, text: `${file} has no test «${title}»` }));
  });
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

/** Paths in backticks must exist. Decisions are exempt: they tell what was true on their day. */
function deadPaths(house: House, page: string): Problem[] {
  if (page.startsWith('docs/decisions/')) return [];
  const quoted = [...house.read(page).matchAll(/`((?:apps|packages|e2e|tools|docs)\/[\w./-]+)`/g)];
  return [...new Set(quoted.map((match) => (match[1] ?? '').replace(/\/$/, '')))]
    .filter((path) => !exists(house, path))
    .map((path) => ({ rule: 'docs', file: page, text: `names ${path}, which does not exist` }));
}

function exists(house: House, path: string): boolean {
  return house.files.some((file) => file === path || file.startsWith(`${path}/`));
}
