import assert from 'node:assert/strict';
import { Id } from '@steward/contract/api/fields';
import { createEntryForm } from '@steward/contract/directory';
import { beforeAll, describe, it } from 'vitest';
import type { EntryInsert } from '#features/directory/entries.store.ts';
import { generateEntries } from './generate-entries.ts';
import { generateUsers } from './generate-users.ts';
import { loadNames, type NamePool } from './name-pools.ts';

const MANY = 20_000;

describe('directory entries that are made up', () => {
  let pools: NamePool[];
  let entries: EntryInsert[];
  beforeAll(async () => {
    pools = await loadNames();
    entries = generateEntries({ pools, key: 'a', seed: 1 }, 0, MANY);
  });

  it('are the same every time, in one go or in parts', () => {
    const recipe = { pools, key: 'a', seed: 1 };
    assert.deepEqual(
      [...generateEntries(recipe, 0, 700), ...generateEntries(recipe, 700, 300)],
      entries.slice(0, 1_000),
    );
  });

  it('are others for another team and for another seed', () => {
    for (const recipe of [
      { pools, key: 'b', seed: 1 },
      { pools, key: 'a', seed: 2 },
    ]) {
      const theirs = generateEntries(recipe, 0, 500);
      const known = new Set(entries.map(({ id }) => id));
      assert.ok(!theirs.some(({ id }) => known.has(id)));
      assert.notDeepEqual(
        theirs.map(({ name }) => name),
        entries.slice(0, 500).map(({ name }) => name),
      );
    }
  });

  it('have ids that grow with their number', () => {
    assert.ok(entries.every(({ id }, at) => id > (entries[at - 1]?.id ?? '')));
  });

  it('are what the calls would let in, word for word', () => {
    const form = createEntryForm('short');
    for (const { id, ...fields } of entries) {
      Id.parse(id);
      assert.deepEqual(form.parse(fields), fields);
      assert.match(fields.email, /^$|\.example\.(com|org|net)$/);
    }
  });

  it('have numbers of those kept for fiction only', () => {
    const fictional = [
      /^[2-9]\d\d55501\d\d$/,
      /^1[2-9]\d\d55501\d\d$/,
      /^(49|0)(3023125|6990009|4066969|2214710|8999998)\d{3}$/,
      /^(44|0)2079460\d{3}$/,
    ];
    for (const number of entries.flatMap(({ phone_number, sms }) => [phone_number, sms])) {
      const digits = number.replace(/, ext\. \d\d$/, '').replace(/\D/g, '');
      assert.ok(number === '' || fictional.some((range) => range.test(digits)), number);
    }
  });

  it('mix spellings, and leave out what a directory kept by hand lacks', () => {
    const share = (is: (entry: EntryInsert) => boolean) => (entries.filter(is).length * 100) / MANY;
    const between = (value: number, low: number, high: number) => assert.ok(low < value && value < high, `${value}`);
    for (const spelling of [/^\d{10}$/, /^\(/, /^\+1 /, /^\+49 /, /^0[234689]/, /, ext\./]) {
      between(
        share(({ phone_number }) => spelling.test(phone_number)),
        3,
        50,
      );
    }
    between(
      share(({ sms }) => sms !== ''),
      45,
      55,
    );
    between(
      share(({ email }) => email !== ''),
      82,
      88,
    );
    between(
      share(({ phone_number, sms }) => phone_number + sms === ''),
      3,
      9,
    );
  });

  it('name about a third of the people whose team they are made for', () => {
    const users = generateUsers({ pools, key: 'a', seed: 1 }, 0, MANY);
    const addresses = new Set(users.map(({ email }) => email));
    const linked = entries.filter(({ email }) => addresses.has(email)).length / MANY;
    assert.ok(0.3 < linked && linked < 0.5, `${linked}`);
  });
});
