import assert from 'node:assert/strict';
import { describe, it, onTestFinished, vi } from 'vitest';
import { Failure, unreachable } from './failure.ts';
import { withRetry } from './with-retry.ts';

const NEVER = new AbortController().signal;

describe('trying again', () => {
  it('retries until the server is reached', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let failures = 3;
    const attempt = vi.fn(async () => {
      if (failures-- === 0) return 'stored';
      setImmediate(() => vi.advanceTimersByTime(2_000));
      throw unreachable(failures === 1 ? 503 : 0);
    });
    assert.equal(await withRetry(attempt, NEVER), 'stored');
    assert.equal(attempt.mock.calls.length, 4);
  });

  it('waits until a limit ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const attempt = vi.fn(async () => {
      if (attempt.mock.calls.length > 1) return 'read';
      setImmediate(() => {
        vi.advanceTimersByTime(41_000);
        assert.equal(attempt.mock.calls.length, 1);
        vi.advanceTimersByTime(1_000);
      });
      throw new Failure({ status_code: 429, message: 'Too many requests.', id: 'rate.limited', retry_after: 42 });
    });
    assert.equal(await withRetry(attempt, NEVER), 'read');
  });

  it('gives up after the fourth attempt', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const attempt = vi.fn(async () => {
      if (attempt.mock.calls.length < 4) setImmediate(() => vi.advanceTimersByTime(2_000));
      throw unreachable();
    });
    await assert.rejects(withRetry(attempt, NEVER), { id: 'client.unreachable' });
    assert.equal(attempt.mock.calls.length, 4);
  });

  it('a refusal is not retried', async () => {
    const refused = new Failure({ status_code: 409, message: 'This import has already ended.', id: 'x' });
    const attempt = vi.fn(async () => Promise.reject(refused));
    await assert.rejects(withRetry(attempt, NEVER), refused);
    assert.equal(attempt.mock.calls.length, 1);
  });

  it('stops waiting when it is canceled', async () => {
    const cancel = new AbortController();
    const attempt = vi.fn(async () => {
      setImmediate(() => cancel.abort());
      throw unreachable();
    });
    await assert.rejects(withRetry(attempt, cancel.signal), { name: 'AbortError' });
    assert.equal(attempt.mock.calls.length, 1);
  });

  it('makes no further attempt after it was canceled during one', async () => {
    const cancel = new AbortController();
    const attempt = vi.fn(async () => {
      cancel.abort();
      throw unreachable();
    });
    await assert.rejects(withRetry(attempt, cancel.signal), { id: 'client.unreachable' });
    assert.equal(attempt.mock.calls.length, 1);
  });
});
