import assert from 'node:assert/strict';
import { Email, Id, text } from '@steward/contract/api/fields';
import { NAME_MAX } from '@steward/contract/api/limits';
import { accountKind, Role } from '@steward/contract/users/roles';
import { beforeAll, describe, it } from 'vitest';
import type { PersonInsert } from '#workspace/people/people.store.ts';
import { generatePeople } from './generate-people.ts';
import { loadNames, type NamePool } from './name-pools.ts';

const MANY = 60_000;

describe('people who are made up', () => {
  let pools: NamePool[];
  let people: PersonInsert[];
  beforeAll(async () => {
    pools = await loadNames();
    people = generatePeople({ pools, key: 'a', seed: 1 }, 0, MANY);
  });

  it('are the same every time, in one go or in parts', () => {
    const parts = [
      generatePeople({ pools, key: 'a', seed: 1 }, 0, 700),
      generatePeople({ pools, key: 'a', seed: 1 }, 700, 300),
    ];
    assert.deepEqual(parts.flat(), people.slice(0, 1_000));
  });

  it('are others for another team and for another seed', () => {
    const others = [
      { pools, key: 'b', seed: 1 },
      { pools, key: 'a', seed: 2 },
    ];
    for (const recipe of others) {
      const [ours, theirs] = [people.slice(0, 500), generatePeople(recipe, 0, 500)];
      for (const key of ['id', 'email'] as const) {
        const known = new Set(ours.map((person) => person[key]));
        assert.deepEqual(
          theirs.filter((person) => known.has(person[key])),
          [],
        );
      }
    }
  });

  it('never share an id or an address, also after every name of a pool was used', () => {
    const tiny = pools.map((pool) => ({ ...pool, firsts: pool.firsts.slice(0, 9), lasts: pool.lasts.slice(0, 11) }));
    for (const made of [people, generatePeople({ pools: tiny, key: 'a', seed: 1 }, 0, 20_000)]) {
      assert.equal(new Set(made.map(({ id }) => id)).size, made.length);
      assert.equal(new Set(made.map(({ email }) => email)).size, made.length);
    }
  });

  it('are what the calls would let in', () => {
    for (const person of people.slice(0, 5_000)) {
      assert.equal(Email.parse(person.email), person.email);
      assert.match(person.email, /\.example\.(com|org|net)$/);
      Id.parse(person.id);
      Role.array().nonempty().parse(person.roles);
      for (const name of [person.first_name, person.last_name]) {
        assert.equal(text(NAME_MAX).trim().parse(name), name.normalize('NFC'));
      }
    }
  });

  it('mix kinds and states, with one Zendesk person', () => {
    const share = (is: (person: PersonInsert) => boolean) => (people.filter(is).length * 100) / MANY;
    const between = (value: number, low: number, high: number) => assert.ok(low < value && value < high, `${value}`);
    between(
      share((person) => accountKind(person) === 'Team Admin'),
      1,
      2,
    );
    between(
      share((person) => accountKind(person) === 'Pending Invitee'),
      3,
      5,
    );
    between(
      share((person) => person.delete_at !== 0),
      2,
      4,
    );
    between(
      share((person) => person.presence !== null),
      10,
      25,
    );
    assert.deepEqual(
      people.flatMap((person, number) => (accountKind(person) === 'Zendesk' ? [number] : [])),
      [0],
    );
    for (const app of Object.keys(JSON.parse(people[1]!.apps))) {
      between(
        share(({ apps }) => JSON.parse(apps)[app] === true),
        10,
        99,
      );
    }
  });
});
