import assert from 'node:assert/strict';
import { ContentKind } from '@steward/contract/content';
import { type Token, toTokenExpiry } from '@steward/contract/tokens';
import { it } from 'vitest';
import { describeKinds, getTokenState } from './token-text.ts';
import { toTokenBody, toTokenErrors, toTokenValues, validateToken } from './tokens.form.ts';

const VALUES = { ...toTokenValues(undefined), name: 'Chat service' };
const DAY = 86_400_000;

it('requires a name of at most 100 characters and a kind', () => {
  assert.deepEqual(validateToken(VALUES), {});
  assert.deepEqual(validateToken({ ...VALUES, name: '  ' }), { name: 'The name is required.' });
  assert.match(validateToken({ ...VALUES, name: 'x'.repeat(101) }).name ?? '', /^The name .*100/);
  assert.deepEqual(validateToken({ ...VALUES, kinds: [] }), { kinds: 'Choose at least one kind of content.' });
});

it('shows errors of the server at their fields', () => {
  assert.deepEqual(toTokenErrors('name: is required'), { name: 'The name is required.' });
  assert.deepEqual(toTokenErrors('expires_at: is in the past'), { expires: 'The expiry is in the past.' });
  assert.deepEqual(toTokenErrors('This team has reached its service token limit.'), {});
});

it('lets the server compute the expiry of one year, and stays within two years', () => {
  const body = { name: 'Chat service', kinds: ContentKind.options, speak_for_users: false };
  assert.deepEqual(toTokenBody(VALUES, 5), body);
  assert.deepEqual(toTokenBody({ ...VALUES, expires: '30' }, 5), { ...body, expires_at: 5 + 30 * DAY });
  const { expires_at = 0 } = toTokenBody({ ...VALUES, expires: 'latest' }, 5);
  assert.equal(expires_at, toTokenExpiry(5, 2) - DAY);
});

it('starts with the kinds of the replaced token, or with all kinds if that token has none', () => {
  const token = { name: 'Phone', kinds: ['call'], speak_for_users: true } as Token;
  const values = toTokenValues(token);
  assert.deepEqual(values, { name: 'Phone', kinds: ['call'], speaksForUsers: true, expires: 'year' });
  assert.equal(toTokenBody(values, 0, 'an id').replaces, 'an id');
  assert.deepEqual(toTokenValues({ ...token, kinds: [] }).kinds, ContentKind.options);
});

it('says what a token may import, and whether it will end or has ended', () => {
  assert.equal(describeKinds(ContentKind.options), 'Everything');
  assert.equal(describeKinds(['message', 'call_recording']), 'Messages, Call recordings');
  assert.equal(describeKinds([]), 'Nothing');
  const wordOf = (expires_at: number, stopped_at = 0) => getTokenState({ expires_at, stopped_at }, 0)?.word;
  assert.deepEqual(
    [wordOf(15 * DAY), wordOf(13 * DAY), wordOf(0), wordOf(13 * DAY, 7)],
    [undefined, 'Expires soon', 'Expired', 'Stopped'],
  );
});
