// This reporter of test-worker.ts sends each result to the parent process, which prints and counts.
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { TestResult } from './node-tests.ts';

// biome-ignore lint/style/noDefaultExport: Node's runner takes the default export of a reporter
export default async function* reportResults(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const titles: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') titles[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const result: TestResult = {
      type: 'result',
      titles: [...titles.slice(0, data.nesting), data.name],
      isSuite: data.details.type === 'suite',
      isSkipped: Boolean(data.skip ?? data.todo),
      ms: data.details.duration_ms,
      ...(type === 'test:fail' ? getReason(data.details.error) : {}),
    };
    process.send?.(result);
  }
  yield '';
}

/** A suite that failed because of one of its tests has no reason of its own. */
function getReason(error: Error): Pick<TestResult, 'reason' | 'stack'> {
  if ('failureType' in error && error.failureType === 'subtestsFailed') return { reason: '' };
  const cause = error.cause instanceof Error ? error.cause : error;
  return { reason: cause.message || String(cause), stack: inspect(cause) };
}
