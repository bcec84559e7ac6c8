import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { isShown, readViews, toView, VIEWS_MAX, withoutView, withView } from './saved-views.ts';

describe('saved views', () => {
  it('keep filters and order under a name, never the search text', () => {
    const view = toView('  Gone   quiet ', { search: 'anna', inactive_days: 90, sort: 'last_active' });
    assert.deepEqual(view, { name: 'Gone quiet', search: { inactive_days: 90, sort: 'last_active' } });
    assert.ok(isShown(view, { sort: 'last_active', inactive_days: 90, search: 'bea' }));
    assert.ok(!isShown(view, { sort: 'last_active' }));
  });

  it('replace a view with the same name, are sorted, and are limited in number', () => {
    const [a, b] = [toView('b', { member: 1 }), toView('a', {})];
    assert.deepEqual(withView(withView([], a), b), [b, a]);
    assert.deepEqual(withView([a], toView('b', {})), [toView('b', {})]);
    assert.deepEqual(withoutView([b, a], 'a'), [a]);
    const many = Array.from({ length: VIEWS_MAX }, (_, at) => toView(`m${at}`, {}));
    assert.equal(withView(many, a).length, VIEWS_MAX);
  });

  it('are read from any stored text', () => {
    const views = [toView('a', { pending: 1 })];
    assert.deepEqual(readViews(JSON.stringify(views)), views);
    assert.deepEqual(readViews('[{"name":"a","search":{"sort":"x","search":"y"}},{"name":1},null,5,{"name":"b"}]'), [
      { name: 'a', search: {} },
    ]);
    for (const text of [null, '', '{', '5', '{}', 'null']) assert.deepEqual(readViews(text), []);
    fc.assert(fc.property(fc.jsonValue(), (json) => Array.isArray(readViews(JSON.stringify(json)))));
  });
});
