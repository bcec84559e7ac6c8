import type { ConsoleMessage, Page } from '@playwright/test';

export interface Trouble {
  /** The test provokes these lines: a refused call, for example, is a line in the console. */
  expect(line: RegExp): void;
  watch(page: Page): void;
  /** Contains every line that was not expected. */
  lines(): string[];
}

/** Collects errors in the console (a breach of the content policy is one), uncaught errors, and crashed pages. */
export function collectPageErrors(): Trouble {
  const lines: string[] = [];
  const expected: RegExp[] = [];
  const note = (line: string) => void lines.push(line);
  return {
    expect: (line) => void expected.push(line),
    watch(page) {
      page.on('console', (message) => isPageError(message) && note(getText(message)));
      page.on('pageerror', (error) => note(`uncaught: ${error.stack ?? error.message}`));
      page.on('crash', () => note('the page crashed'));
    },
    lines: () => lines.filter((line) => !expected.some((pattern) => pattern.test(line))),
  };
}

function isPageError(message: ConsoleMessage): boolean {
  return message.type() === 'error' || /content security policy/i.test(message.text());
}

function getText(message: ConsoleMessage): string {
  const { url } = message.location();
  return `${message.text()} (${url})`;
}
