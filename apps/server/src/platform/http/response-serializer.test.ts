import assert from 'node:assert/strict';
import { endpoints } from '@steward/contract/api/endpoints';
import { describe, test } from 'vitest';
import { z } from 'zod';
import { createResponseSerializer } from './response-serializer.ts';

const User = z.object({
  id: z.string(),
  roles: z.array(z.enum(['a', 'b'])),
  apps: z.record(z.string(), z.boolean()),
  team: z.object({ name: z.string() }).nullable(),
  note: z.string().optional(),
});
const Page = z.object({ records: z.array(User), last_key: z.string().nullable() });
const user = { id: '1', roles: ['a'], apps: { chat: true }, team: { name: 'x' } };

describe('a serialized answer', () => {
  test('loses fields that the schema does not have, at any depth', () => {
    const secret = { password_hash: 'secret' };
    const given = { records: [{ ...user, ...secret, team: { name: 'x', ...secret } }], last_key: null, ...secret };
    assert.deepEqual(createResponseSerializer(Page)(given), { records: [user], last_key: null });
  });

  test('keeps what parsing would keep', () => {
    const full = { ...user, note: 'n', team: null };
    const given = { records: [user, full], last_key: 'k' };
    assert.deepEqual(createResponseSerializer(Page)(given), Page.parse(given));
    assert.deepEqual(createResponseSerializer(z.union([User, z.null()]))({ ...user, more: 1 }), user);
    assert.deepEqual(createResponseSerializer(z.record(z.string(), User))({ x: { ...user, more: 1 } }), {
      x: user,
    });
    assert.deepEqual(createResponseSerializer(z.looseObject({ id: z.string() }))({ id: '1', more: 1 }), {
      id: '1',
      more: 1,
    });
  });

  test('throws when a field is missing', () => {
    assert.throws(() => createResponseSerializer(Page)({ records: [] }), /last_key/);
    assert.throws(
      () => createResponseSerializer(Page)({ records: [{ ...user, apps: undefined }], last_key: null }),
      /apps/,
    );
  });

  test('throws when there is an object instead of a scalar', () => {
    for (const field of ['id', 'roles', 'apps', 'note']) {
      const hiding = field === 'roles' ? [{ secret: 1 }] : { x: { secret: 1 } };
      assert.throws(() => createResponseSerializer(User)({ ...user, [field]: hiding }), /an object where/, field);
    }
  });

  test('is possible for every endpoint of the contract', () => {
    for (const { answer } of endpoints) assert.equal(typeof createResponseSerializer(answer), 'function');
  });
});
