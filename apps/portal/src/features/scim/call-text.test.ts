import assert from 'node:assert/strict';
import { it } from 'vitest';
import { formatBody, getCallState, getCallTitle } from './log-section.tsx';

it('describes the request of a call', () => {
  const getTitle = (request: string) => {
    const [method = '', path = ''] = request.split(' ');
    return getCallTitle({ method, path: `/scim/v2${path}` });
  };
  assert.deepEqual(
    [
      'POST /Users',
      'PATCH /Users/x',
      'DELETE /Groups/x',
      'GET /Users?filter=a',
      'POST /Users/.search',
      'GET /Users/x',
    ].map(getTitle),
    ['Add a user', 'Change a user', 'Remove a group', 'List users', 'List users', 'Read a user'],
  );
  assert.equal(getTitle('GET /constructor'), 'GET /scim/v2/constructor');
});

it('describes the result of a call', () => {
  assert.deepEqual(
    [200, 409, 503].map((status) => getCallState({ status }).word),
    ['Done', 'Refused', 'Failed'],
  );
});

it('formats a body, and leaves one that was cut as it is', () => {
  assert.equal(formatBody('{"a":1}'), '{\n  "a": 1\n}');
  assert.equal(formatBody('{"a":'), '{"a":');
});
