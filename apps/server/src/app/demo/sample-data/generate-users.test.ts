import assert from 'node:assert/strict';
import { Email, Id, text } from '@steward/contract/api/fields';
import { NAME_MAX } from '@steward/contract/api/limits';
import { pickProfile } from '@steward/contract/users';
import { accountKind, Role } from '@steward/contract/users/roles';
import { beforeAll, describe, it } from 'vitest';
import type { UserInsert } from '#workspace/users/users.store.ts';
import { generateUsers } from './generate-users.ts';
import { loadNames, type NamePool } from './name-pools.ts';

const MANY = 60_000;

describe('people who are made up', () => {
  let pools: NamePool[];
  let users: UserInsert[];
  beforeAll(async () => {
    pools = await loadNames();
    users = generateUsers({ pools, key: 'a', seed: 1 }, 0, MANY);
  });

  it('are the same every time, in one go or in parts', () => {
    const parts = [
      generateUsers({ pools, key: 'a', seed: 1 }, 0, 700),
      generateUsers({ pools, key: 'a', seed: 1 }, 700, 300),
    ];
    assert.deepEqual(parts.flat(), users.slice(0, 1_000));
  });

  it('are others for another team and for another seed', () => {
    const others = [
      { pools, key: 'b', seed: 1 },
      { pools, key: 'a', seed: 2 },
    ];
    for (const recipe of others) {
      const [ours, theirs] = [users.slice(0, 500), generateUsers(recipe, 0, 500)];
      for (const key of ['id', 'email'] as const) {
        const known = new Set(ours.map((user) => user[key]));
        assert.deepEqual(
          theirs.filter((user) => known.has(user[key])),
          [],
        );
      }
    }
  });

  it('never share an id or an address, also after every name of a pool was used', () => {
    const tiny = pools.map((pool) => ({ ...pool, firsts: pool.firsts.slice(0, 9), lasts: pool.lasts.slice(0, 11) }));
    for (const made of [users, generateUsers({ pools: tiny, key: 'a', seed: 1 }, 0, 20_000)]) {
      assert.equal(new Set(made.map(({ id }) => id)).size, made.length);
      assert.equal(new Set(made.map(({ email }) => email)).size, made.length);
    }
  });

  it('are what the calls would let in', () => {
    for (const user of users.slice(0, 5_000)) {
      assert.equal(Email.parse(user.email), user.email);
      assert.match(user.email, /\.example\.(com|org|net)$/);
      Id.parse(user.id);
      Role.array().nonempty().parse(user.roles);
      for (const name of Object.values(pickProfile(user))) {
        assert.equal(text(NAME_MAX).trim().parse(name), name.normalize('NFC'));
      }
    }
  });

  it('mix kinds and states, with one Zendesk person', () => {
    const share = (is: (user: UserInsert) => boolean) => (users.filter(is).length * 100) / MANY;
    const between = (value: number, low: number, high: number) => assert.ok(low < value && value < high, `${value}`);
    between(
      share((user) => accountKind(user) === 'Team Admin'),
      1,
      2,
    );
    between(
      share((user) => accountKind(user) === 'Pending Invitee'),
      3,
      5,
    );
    between(
      share((user) => user.delete_at !== 0),
      2,
      4,
    );
    between(
      share((user) => user.presence !== null),
      10,
      25,
    );
    assert.deepEqual(
      users.flatMap((user, number) => (accountKind(user) === 'Zendesk' ? [number] : [])),
      [0],
    );
    for (const app of Object.keys(JSON.parse(users[1]!.apps))) {
      between(
        share(({ apps }) => JSON.parse(apps)[app] === true),
        10,
        99,
      );
    }
  });
});
