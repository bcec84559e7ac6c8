import assert from 'node:assert/strict';
import type { Entry } from '@steward/contract/directory';
import { describe, it } from 'vitest';
import type { Pages } from '#platform/tables/cached-lists.ts';
import { withEntry, withoutEntry } from './entry-order.ts';

function entry(name: string, over: Partial<Entry> = {}): Entry {
  return { id: name, name, phone_number: '', sms: '', email: '', user_id: '', last_picture_update: 0, ...over };
}

/** The last page ends the list unless `hasMore` is set. */
function makeList(names: string[][], hasMore = false): Pages<Entry> {
  const keys = names.map((_, at) => (at === names.length - 1 && !hasMore ? null : `key ${at}`));
  return {
    pages: names.map((page, at) => ({ records: page.map((name) => entry(name)), last_key: keys[at] ?? null })),
    pageParams: names.map((_, at) => keys[at - 1] ?? undefined),
  };
}

const namesIn = (list: Pages<Entry>) => list.pages.map(({ records }) => records.map(({ name }) => name));

describe('a new entry', () => {
  it('is inserted in order of its name, ignoring case', () => {
    const list = makeList([['Ann', 'Ben'], ['Eve']]);
    assert.deepEqual(namesIn(withEntry(list, entry('anton'))), [['Ann', 'anton', 'Ben'], ['Eve']]);
    assert.deepEqual(namesIn(withEntry(list, entry('Ada'))), [['Ada', 'Ann', 'Ben'], ['Eve']]);
    assert.deepEqual(namesIn(withEntry(list, entry('Cid'))), [
      ['Ann', 'Ben'],
      ['Cid', 'Eve'],
    ]);
  });

  it('is last if the list ends there, and left out if more pages follow', () => {
    assert.deepEqual(namesIn(withEntry(makeList([['Ann']]), entry('Zoe'))), [['Ann', 'Zoe']]);
    assert.deepEqual(namesIn(withEntry(makeList([['Ann']], true), entry('Zoe'))), [['Ann']]);
    assert.deepEqual(namesIn(withEntry(makeList([[]]), entry('Zoe'))), [['Zoe']]);
  });

  it('is ordered by id among equal names, and by code point beyond the first 65,536 characters', () => {
    const list = makeList([['Ann']]);
    const before = withEntry(list, entry('ANN', { id: 'A' }));
    assert.deepEqual(namesIn(before), [['ANN', 'Ann']]);
    assert.deepEqual(namesIn(withEntry(makeList([['\uFB01']]), entry('😀'))), [['\uFB01', '😀']]);
    assert.deepEqual(namesIn(withEntry(makeList([['😀']]), entry('😁'))), [['😀', '😁']]);
    assert.deepEqual(namesIn(withEntry(makeList([['Annabel']]), entry('Anna'))), [['Anna', 'Annabel']]);
  });

  it('is inserted only where the search matches its name, email, numbers, or their digits', () => {
    const list = makeList([['Ann']]);
    const zoe = entry('Zoe', { email: 'zoe@example.com', phone_number: '(555) 123-4567', sms: '+49 30' });
    for (const search of ['zO', '@EXAMPLE', '(555)', '5551234567', '555.123', '+49 30', '4930']) {
      assert.deepEqual(namesIn(withEntry(list, zoe, search)), [['Ann', 'Zoe']], search);
    }
    const street = entry('Lange Straße', { phone_number: '\uFF15\uFF15\uFF15 01' });
    for (const search of ['STRASSE', 'straße', 'STRA\u1E9EE', '55501', '\uFF15\uFF15\uFF15']) {
      assert.deepEqual(namesIn(withEntry(list, street, search)), [['Ann', 'Lange Straße']], search);
    }
    for (const search of ['ann', '999', 'zoe 555', '3 0']) {
      assert.deepEqual(namesIn(withEntry(list, zoe, search)), [['Ann']], search);
    }
  });
});

describe('an entry that was changed or deleted', () => {
  it('is replaced in place, or moves with its new name', () => {
    const list = makeList([['Ann', 'Ben'], ['Eve']]);
    const renamed = withEntry(list, entry('Fay', { id: 'Ann' }));
    assert.deepEqual(namesIn(renamed), [['Ben'], ['Eve', 'Fay']]);
    const edited = withEntry(list, entry('Ben', { sms: '1' }));
    assert.deepEqual(namesIn(edited).flat(), ['Ann', 'Ben', 'Eve']);
    const found = edited.pages.flatMap(({ records }) => records).find(({ id }) => id === 'Ben');
    assert.equal(found?.sms, '1');
  });

  it('is removed from any page', () => {
    assert.deepEqual(namesIn(withoutEntry(makeList([['Ann', 'Ben'], ['Eve']]), 'Eve')), [['Ann', 'Ben'], []]);
  });
});
