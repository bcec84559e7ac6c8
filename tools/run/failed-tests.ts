// The failures of a run in one place: among thousands of lines nobody finds them, and a log that is cut keeps its end.
import { relative } from 'node:path';
import type { EventData } from 'node:test';

/** What a report of Playwright says of files, groups and tests; only the fields read here. */
export interface BrowserSuite {
  file?: string;
  title?: string;
  suites?: BrowserSuite[];
  specs?: BrowserSpec[];
}

interface BrowserSpec {
  title: string;
  ok: boolean;
  tests: { status: string; results: { error?: { message?: string } }[] }[];
}

/** One failed test of Node's runner as a line, or nothing for a group or file that failed only because of a test in it. */
export function failedTest(root: string, event: EventData.TestFail): string | undefined {
  const { error } = event.details;
  if ('failureType' in error && error.failureType === 'subtestsFailed') return undefined;
  const said = error.cause instanceof Error ? error.cause.message : error.message;
  return line(event.file === undefined ? '' : relative(root, event.file), event.name, said);
}

/** The failed tests of a report of Playwright, a line each. */
export function failedScreens(suites: BrowserSuite[], titles: string[] = []): string[] {
  return suites.flatMap((suite) => {
    const inside = suite.title === undefined || suite.title === suite.file ? titles : [...titles, suite.title];
    const failed = (suite.specs ?? []).filter(({ ok }) => !ok);
    return [
      ...failed.map((spec) => line(`e2e/${suite.file ?? ''}`, [...inside, spec.title].join(' › '), getReason(spec))),
      ...failedScreens(suite.suites ?? [], inside),
    ];
  });
}

function getReason({ tests }: BrowserSpec): string {
  const results = tests.flatMap((test) => test.results);
  return results.find(({ error }) => error?.message !== undefined)?.error?.message ?? '';
}

function line(file: string, name: string, said: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are control characters.
  const first = said.replace(/\u001b\[[\d;]*m/g, '').split('\n')[0] ?? '';
  return [file, name, first].filter((part) => part !== '').join(' | ');
}
