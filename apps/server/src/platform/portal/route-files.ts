import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that the build of the portal lists for a screen. */
interface Screen {
  /** A regular expression. */
  path: string;
  needsSession: boolean;
  scripts: string[];
}

/** Tells the page at a path that needs a session to sign in with the visitor's cookies at once or, without any, to show the sign-in form. */
const NEEDS_SESSION = '<meta name="needs-session" content="yes">';

/** What the head of the page at a path has besides; `hasCookies` tells whether the visitor may be signed in. */
export type FindLinks = (path: string, hasCookies: boolean) => string;

/**
 * Reads which files each screen of the portal loads. Named in its page, they load beside the first script, rather than one after
 * another when that has run. Visitors without a session go to the sign-in form and get only its files.
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
