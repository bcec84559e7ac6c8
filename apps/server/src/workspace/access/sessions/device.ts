import { BROWSER_MAP, OS_MAP, parse } from 'bowser';

/** For unknown browsers the library returns text of the header, which anyone can choose. */
const KNOWN: ReadonlySet<string> = new Set([...Object.values(BROWSER_MAP), ...Object.values(OS_MAP)]);
/** No browser sends a longer one. */
const USER_AGENT_MAX = 1_000;

/** Browser and operating system of a user agent, in words that its user recognizes. */
export function describeDevice(userAgent: string): string {
  // The library refuses an empty text.
  const { browser, os } = parse(userAgent.slice(0, USER_AGENT_MAX) || '-');
  const [browserName, system] = [browser.name, os.name].map((name = '') => (KNOWN.has(name) ? name : ''));
  const name = browserName?.replace(' for Android', '');
  if (name && system) return `${name} on ${system}`;
  return name || system || 'Unknown device';
}
