import assert from 'node:assert/strict';
import { it } from 'vitest';
import { formatAttempts, formatStarted, isRetryable, redeliverQuestion } from './delivery-text.ts';

const counted = (count: number, isMore = false) => ({ count, isMore });

it('the question before retrying says how many deliveries failed, once they are counted', () => {
  assert.equal(redeliverQuestion(undefined, counted(1)), 'Redeliver all failed deliveries?');
  assert.equal(redeliverQuestion(counted(0), counted(0)), 'No deliveries have failed.');
  assert.equal(redeliverQuestion(counted(1), counted(0)), 'Redeliver 1 delivery to the channels where it failed?');
  assert.equal(redeliverQuestion(counted(2), counted(1)), 'Redeliver 3 deliveries to the channels where they failed?');
  assert.equal(
    redeliverQuestion(counted(100, true), counted(1)),
    'Redeliver more than 101 deliveries to the channels where they failed?',
  );
});

it('the result says how many deliveries are retried', () => {
  assert.equal(formatStarted(0), 'No failed deliveries were left to retry.');
  assert.equal(formatStarted(1), 'Retrying 1 delivery.');
  assert.equal(formatStarted(1_200), 'Retrying 1,200 deliveries.');
});

it('attempts are shown with their number', () => {
  assert.deepEqual([0, 1, 2].map(formatAttempts), ['Not attempted yet', '1 attempt', '2 attempts']);
});

it('only deliveries with a failed channel can be retried', () => {
  const states = ['waiting', 'posted', 'partly', 'failed', 'ignored'] as const;
  assert.deepEqual(
    states.filter((state) => isRetryable({ state })),
    ['partly', 'failed'],
  );
});
