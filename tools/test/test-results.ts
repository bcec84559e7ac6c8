// The failures of a run are listed in one place, because one is hard to find among thousands of lines, and a truncated log keeps its end.
import type { TestCase, TestModule } from 'vitest/node';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What this machine lacks for the skipped tests of a file, and how many they are. */
  missing: Map<string, number>;
}

/** Only the fields that are read from a Playwright report: files, groups and tests. */
export interface BrowserReport {
  suites: BrowserSuite[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

interface BrowserSuite {
  file: string;
  title: string;
  suites?: BrowserSuite[];
  specs?: { title: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }[];
}

/** Errors of workers reach the parent process in this form. */
interface UnhandledError {
  message: string;
  VITEST_TEST_PATH?: string;
}

/** Number of lines shown from the end of a longer reason, where a command says why it failed. */
const LAST_LINES = 6;

/** The text has a line with the file, the title and the first line of the reason, followed by the last lines of a longer one. */
function failureText(file: string, title: string, reason: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors are control characters.
  const [first = '', ...more] = reason.replace(/\u001b\[[\d;]*m/g, '').split('\n');
  const last = more.filter((line) => line.trim() !== '').slice(-LAST_LINES);
  return [[file, title, first].filter((part) => part !== '').join(' | '), ...last].join('\n    ');
}

/** Adds the results of Vitest to the counts and returns the failures, with those of hooks, files and crashed workers. */
export function countTests(modules: TestModule[], unhandled: unknown[], counts: Counts): string[] {
  const failures = (unhandled as UnhandledError[]).map((error) =>
    failureText(error.VITEST_TEST_PATH ?? '', '', error.message),
  );
  for (const module of modules) {
    const file = module.relativeModuleId;
    for (const { message } of module.errors()) failures.push(failureText(file, '', message));
    for (const suite of module.children.allSuites())
      for (const { message } of suite.errors()) failures.push(failureText(file, suite.fullName, message));
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === 'skipped') countMissing(test, counts);
      if (state === 'passed' || state === 'skipped') counts[state] += 1;
      else failures.push(failureText(file, test.fullName, errors?.[0]?.message ?? 'it did not end'));
    }
  }
  counts.failed += failures.length;
  return failures;
}

function countMissing(test: TestCase, { missing }: Counts): void {
  const groups = [test.parent, ...(test.parent.type === 'suite' ? [test.parent.parent] : [])];
  const reason = [test, ...groups].map((each) => each.meta().missing).find((text) => text !== undefined);
  const line = `${test.module.relativeModuleId} | ${reason ?? 'it is skipped without a reason'}`;
  missing.set(line, (missing.get(line) ?? 0) + 1);
}

/** Adds the results of Playwright to the counts and returns the failures. */
export function countBrowserTests({ stats, suites }: BrowserReport, counts: Counts): string[] {
  counts.passed += stats.expected + stats.flaky;
  counts.failed += stats.unexpected;
  counts.skipped += stats.skipped;
  return suites.flatMap((suite) => browserFailures(suite, []));
}

function browserFailures({ file, title, specs = [], suites = [] }: BrowserSuite, outer: string[]): string[] {
  const titles = title === file ? outer : [...outer, title];
  const failed = specs.filter(({ ok }) => !ok);
  return [
    ...failed.map((spec) => {
      const error = spec.tests.flatMap(({ results }) => results).find((result) => result.error?.message)?.error;
      return failureText(`e2e/${file}`, [...titles, spec.title].join(' › '), error?.message ?? '');
    }),
    ...suites.flatMap((suite) => browserFailures(suite, titles)),
  ];
}
