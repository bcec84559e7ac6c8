import assert from 'node:assert/strict';
import { describe, it, onTestFinished, vi } from 'vitest';
import { Failure, unreachable } from '#platform/api/failure.ts';
import { type FetchPage, iteratePages } from './iterate-pages.ts';

const NEVER = new AbortController().signal;

/** The keys of the pages are their numbers. */
function makeList(...pages: string[][]): FetchPage<string> {
  return async (lastKey) => {
    const at = lastKey === undefined ? 0 : Number(lastKey);
    return { records: pages[at] ?? [], last_key: at + 1 < pages.length ? String(at + 1) : null };
  };
}

async function collectRecords(fetchPage: FetchPage<string>, signal = NEVER): Promise<string[]> {
  const records: string[] = [];
  for await (const page of iteratePages(fetchPage, signal)) records.push(...page.records);
  return records;
}

describe('iterating over the pages of a list', () => {
  it('yields every record in order', async () => {
    assert.deepEqual(await collectRecords(makeList(['a', 'b'], ['c'], ['d'])), ['a', 'b', 'c', 'd']);
  });

  it('ends at a page without records, even if it has a key', async () => {
    let calls = 0;
    const endless: FetchPage<string> = async () => {
      calls += 1;
      return { records: calls === 1 ? ['a'] : [], last_key: calls < 9 ? 'more' : null };
    };
    assert.deepEqual(await collectRecords(endless), ['a']);
    assert.equal(calls, 2);
  });

  it('retries when the server was not reached, and stops when it returns an error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pages = makeList(['a'], ['b']);
    let failures = 2;
    const shaky = vi.fn<FetchPage<string>>(async (lastKey, signal) => {
      if (lastKey === '1' && failures-- > 0) {
        setImmediate(() => vi.advanceTimersByTime(2_000));
        throw unreachable();
      }
      return pages(lastKey, signal);
    });
    assert.deepEqual(await collectRecords(shaky), ['a', 'b']);
    assert.equal(shaky.mock.calls.length, 4);

    const refused = new Failure({ status_code: 403, message: 'no', id: 'team.admin_required' });
    await assert.rejects(
      collectRecords(async () => Promise.reject(refused)),
      refused,
    );
  });

  it('stops when it is canceled, without another request', async () => {
    const cancel = new AbortController();
    const fetchPage = vi.fn(makeList(['a'], ['b'], ['c'], ['d']));
    const walk = iteratePages(fetchPage, cancel.signal);
    await walk.next();
    cancel.abort();
    await assert.rejects(walk.next(), { name: 'AbortError' });
    assert.equal(fetchPage.mock.calls.length, 1);
  });
});
