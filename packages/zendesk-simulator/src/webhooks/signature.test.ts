import assert from 'node:assert/strict';
import { test } from 'vitest';
import { sign, TEST_SECRET } from './signature.ts';

test('produces known signatures for ASCII, non-ASCII and empty bodies', () => {
  const of = (timestamp: string, body: string) => sign(TEST_SECRET, timestamp, Buffer.from(body));
  assert.equal(of('2021-03-25T05:09:27Z', '{"foo":"bar"}'), 'MbJuCBPw9oCgvs5EvXprADja4ghhrTwTQJvxgFYTWHE=');
  assert.equal(
    of('2026-01-02T03:04:05Z', '{"text":"Ticket #35 – café"}'),
    'usPzvMnB7jUxs/bQKMVn04BYZXM24HVovn02pqfeHwM=',
  );
  assert.equal(of('2026-01-02T03:04:05Z', ''), '1xsiPKGHFyXedEmvxNaOg4VQ2U4XjHcPMETpJymjCkg=');
});

test('a decoded key produces a different signature', () => {
  const body = Buffer.from('{"text":"Ticket #35 – café"}');
  const decoded = sign(Buffer.from(TEST_SECRET, 'base64'), '2026-01-02T03:04:05Z', body);
  assert.equal(decoded, '+jOHvV76Z9HPU+dnh6ED3eIgMih1IXmVdOQFeqVrPeM=');
});
