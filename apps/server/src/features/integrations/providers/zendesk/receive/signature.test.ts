import assert from 'node:assert/strict';
import { TEST_SECRET } from '@steward/zendesk-simulator/webhooks/signature.ts';
import { describe, test } from 'vitest';
import { hasValidSignature, isFresh, isUsableSecret, type SignedRequest } from './signature.ts';

/** Signatures computed outside this repository with the published test secret. */
const VECTORS = [
  ['2021-03-25T05:09:27Z', '{"foo":"bar"}', 'MbJuCBPw9oCgvs5EvXprADja4ghhrTwTQJvxgFYTWHE='],
  ['2026-01-02T03:04:05Z', '{"text":"Ticket #35 – café"}', 'usPzvMnB7jUxs/bQKMVn04BYZXM24HVovn02pqfeHwM='],
  ['2026-01-02T03:04:05Z', '', '1xsiPKGHFyXedEmvxNaOg4VQ2U4XjHcPMETpJymjCkg='],
] as const;

describe('signatures', () => {
  for (const [timestamp, text, signature] of VECTORS) {
    const request: SignedRequest = { timestamp, signature, body: Buffer.from(text) };
    test(`that of ${text === '' ? 'an empty body' : text} is valid`, () => {
      assert.equal(hasValidSignature(TEST_SECRET, request), true);
    });

    test(`that of ${text === '' ? 'an empty body' : text} is invalid for another secret, time, body or encoding`, () => {
      const other = (change: Partial<SignedRequest>, secret = TEST_SECRET) =>
        hasValidSignature(secret, { ...request, ...change });
      assert.equal(other({}, `${TEST_SECRET}=`), false);
      assert.equal(other({}, Buffer.from(TEST_SECRET, 'base64').toString('latin1')), false);
      assert.equal(other({ timestamp: timestamp.replace('Z', '+00:00') }), false);
      assert.equal(other({ body: Buffer.from(`${text} `) }), false);
      const spellings = [
        '',
        '=',
        signature.slice(0, -1),
        `${signature} `,
        ` ${signature}`,
        `${signature}, ${signature}`,
      ];
      for (const spelling of [...spellings, signature.toLowerCase(), signature.replace('=', '')])
        assert.equal(other({ signature: spelling }), false, spelling);
    });
  }

  test("computed with the secret's decoded bytes, a common mistake, is invalid", () => {
    const [timestamp, text] = VECTORS[1];
    const signature = '+jOHvV76Z9HPU+dnh6ED3eIgMih1IXmVdOQFeqVrPeM=';
    assert.equal(hasValidSignature(TEST_SECRET, { timestamp, signature, body: Buffer.from(text) }), false);
  });

  test('the published test secret and an empty one prove nothing', () => {
    assert.equal(isUsableSecret(TEST_SECRET), false);
    assert.equal(isUsableSecret(''), false);
    assert.equal(isUsableSecret('aGVsbG8='), true);
  });
});

describe('timestamps', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const MINUTE = 60_000;

  for (const [ms, fresh] of [
    [0, true],
    [4 * MINUTE, true],
    [-4 * MINUTE, true],
    [5 * MINUTE, true],
    [5 * MINUTE + 1_000, false],
    [-5 * MINUTE - 1_000, false],
    [-6 * MINUTE, false],
  ] as const) {
    test(`one that is ${ms / 1_000} seconds from now ${fresh ? 'is accepted' : 'is refused'}`, () => {
      const timestamp = new Date(now + ms).toISOString().replace('.000Z', 'Z');
      assert.equal(isFresh(timestamp, now), fresh);
    });
  }

  for (const wrong of [
    '',
    'now',
    '1767323045',
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-13-02T03:04:05Z',
    ' 2026-01-02T03:04:05Z',
  ]) {
    test(`“${wrong}” is not a timestamp`, () => {
      assert.equal(isFresh(wrong, now), false);
    });
  }
});
