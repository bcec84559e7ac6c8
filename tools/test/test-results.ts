// The outcome of a run is printed in one place, because a failure is hard to find among thousands of lines, and a truncated log
// keeps its end.

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Only the fields that are read from a Playwright report: files, groups and tests. */
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

/** Number of lines shown from the end of a longer reason, where a command says why it failed. */
const LAST_LINES = 6;

/** The text has a line with the file, the title and the first line of the reason, followed by the last lines of a longer one. */
export function failureText(file: string, title: string, reason: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors are control characters.
  const [first = '', ...more] = reason.replace(/\u001b\[[\d;]*m/g, '').split('\n');
  const last = more.filter((line) => line.trim() !== '').slice(-LAST_LINES);
  return [[file, title, first].filter((part) => part !== '').join(' | '), ...last].join('\n    ');
}

export function browserFailures(suites: BrowserSuite[], titles: string[] = []): string[] {
  return suites.flatMap((suite) => {
    const inside = suite.title === undefined || suite.title === suite.file ? titles : [...titles, suite.title];
    const failed = (suite.specs ?? []).filter(({ ok }) => !ok);
    return [
      ...failed.map((spec) =>
        failureText(`e2e/${suite.file ?? ''}`, [...inside, spec.title].join(' › '), getReason(spec)),
      ),
      ...browserFailures(suite.suites ?? [], inside),
    ];
  });
}

function getReason({ tests }: BrowserSpec): string {
  const results = tests.flatMap((test) => test.results);
  return results.find(({ error }) => error?.message !== undefined)?.error?.message ?? '';
}
