// Runs in each worker before its first test file, and around each test: the files of a worker share the page and all modules.
import assert from 'node:assert/strict';
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { fakeFetch, resetServer } from './fake-server.ts';

/** jsdom doesn't know this element yet. */
const UNKNOWN_TAG = /^The tag <%s> is unrecognized in this browser.* search$/;

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Answers queries such as `(max-width: 48em)` for the width of the window. */
function matchMedia(query: string) {
  const [, bound, size = '', unit] = /\((min|max)-width: ([\d.]+)(em|px)\)/.exec(query) ?? [];
  const pixels = Number(size) * (unit === 'em' ? 16 : 1);
  const matches = bound === 'max' ? innerWidth <= pixels : bound === 'min' && innerWidth >= pixels;
  return { matches, media: query, addEventListener() {}, removeEventListener() {} };
}

// jsdom has no layout, so it lacks these.
Object.assign(globalThis, {
  matchMedia,
  ResizeObserver: NoObserver,
  IntersectionObserver: NoObserver,
  scrollTo() {},
  CSS: { escape: (text: string) => text },
  // An open channel would keep the worker running.
  BroadcastChannel: undefined,
  // Testing Library advances fake timers through this global of another test runner.
  jest: { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) },
});
Object.assign(Element.prototype, { scrollIntoView() {}, scrollTo() {} });
Object.assign(document, { fonts: new EventTarget() });
configure({
  // Computing what is hidden takes most of the time of a query.
  defaultHidden: true,
  // A busy machine may take seconds to load the code of a screen.
  asyncUtilTimeout: 5_000 * Number(process.env.TEST_TIME_SCALE),
  // Without the whole page, which would hide the other failures.
  getElementError: (message) => new Error(message ?? undefined),
});

const { expire } = await import('#workspace/session/session.ts');
const { queryClient } = await import('#platform/api/query-client.ts');
const { closeSwitchTeam } = await import('#workspace/teams/teams.ts');
const logged = vi.spyOn(console, 'error').mockReturnValue();

// Tests don't wait before a call is repeated.
queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });

beforeEach(() => {
  globalThis.fetch = fakeFetch;
  window.innerWidth = 1440;
});

afterEach(() => {
  cleanup();
  // A field that grows with its text leaves a hidden one in the page, which measures.
  document.body.replaceChildren();
  expire();
  closeSwitchTeam();
  localStorage.clear();
  vi.useRealTimers();
  const lines = logged.mock.calls.map((line) => line.map(String).join(' ')).filter((line) => !UNKNOWN_TAG.test(line));
  logged.mockClear();
  assert.deepEqual([...resetServer(), ...lines], [], 'calls without an answer, or unexpected lines in the console');
});
