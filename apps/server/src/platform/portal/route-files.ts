import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Screen {
  /** A regular expression. */
  path: string;
  needsSession: boolean;
  scripts: string[];
}

/** The page then signs in with the visitor's cookies at once or, without cookies, shows the sign-in form. */
const NEEDS_SESSION = '<meta name="needs-session" content="yes">';

/** Elements for the head of the page at a path. Without cookies, the visitor can't be signed in. */
export type FindLinks = (path: string, hasCookies: boolean) => string;

/**
 * Reads the files of each screen from the portal's build. Links to them in the page let them load in parallel with the first
 * script, instead of one after another when it has run. Visitors without a session get the files of the sign-in form only.
 */
export function readLinks(directory: string): FindLinks {
  const list = join(directory, '.route-files.json');
  const screens = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Screen[]) : [];
  const known = screens.map(({ path, needsSession, scripts }) => {
    const links = scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('');
    return { path: new RegExp(path), needsSession, links };
  });
  const find = (path: string) => known.find((screen) => screen.path.test(path));
  return (path, hasCookies) => {
    const screen = find(path);
    if (!screen?.needsSession) return screen?.links ?? '';
    return NEEDS_SESSION + ((hasCookies ? screen : find('/login'))?.links ?? '');
  };
}
