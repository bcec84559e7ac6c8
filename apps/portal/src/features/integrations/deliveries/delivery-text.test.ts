import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatAttempts, formatStarted, isRetryable, redeliverQuestion } from './delivery-text.ts';

const counted = (count: number, isMore = false) => ({ count, isMore });

it('the question before all are posted again says how many, as far as they were counted', () => {
  assert.equal(redeliverQuestion(undefined, counted(1)), 'Post again what failed?');
  assert.equal(redeliverQuestion(counted(0), counted(0)), 'No delivery has failed.');
  assert.equal(redeliverQuestion(counted(1), counted(0)), 'Post 1 delivery again where it failed?');
  assert.equal(redeliverQuestion(counted(2), counted(1)), 'Post 3 deliveries again where they failed?');
  assert.equal(
    redeliverQuestion(counted(100, true), counted(1)),
    'Post more than 101 deliveries again where they failed?',
  );
});

it('what was begun is said with its number', () => {
  assert.equal(formatStarted(0), 'Nothing had failed any more, so nothing is posted again.');
  assert.equal(formatStarted(1), '1 delivery is posted again.');
  assert.equal(formatStarted(1_200), '1,200 deliveries are posted again.');
});

it('tries are counted in words', () => {
  assert.deepEqual([0, 1, 2].map(formatAttempts), ['Not tried yet', '1 try', '2 tries']);
});

it('only what failed somewhere can be posted again', () => {
  const states = ['waiting', 'posted', 'partly', 'failed', 'ignored'] as const;
  assert.deepEqual(
    states.filter((state) => isRetryable({ state })),
    ['partly', 'failed'],
  );
});
