// The outcome of a run in one place: a failure is hard to find among thousands of lines, and a truncated log keeps its end.

/** How many tests of a step passed, failed and were skipped. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The fields that are read of a report of Playwright: files, groups and tests. */
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

/** A failed test as one line: its file, its title and the first line of the reason. */
export function failureLine(file: string, title: string, reason: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors are control characters.
  const first = reason.replace(/\u001b\[[\d;]*m/g, '').split('\n')[0] ?? '';
  return [file, title, first].filter((part) => part !== '').join(' | ');
}

/** The failed tests of a report of Playwright, a line each. */
export function browserFailures(suites: BrowserSuite[], titles: string[] = []): string[] {
  return suites.flatMap((suite) => {
    const inside = suite.title === undefined || suite.title === suite.file ? titles : [...titles, suite.title];
    const failed = (suite.specs ?? []).filter(({ ok }) => !ok);
    return [
      ...failed.map((spec) =>
        failureLine(`e2e/${suite.file ?? ''}`, [...inside, spec.title].join(' › '), getReason(spec)),
      ),
      ...browserFailures(suite.suites ?? [], inside),
    ];
  });
}

function getReason({ tests }: BrowserSpec): string {
  const results = tests.flatMap((test) => test.results);
  return results.find(({ error }) => error?.message !== undefined)?.error?.message ?? '';
}
