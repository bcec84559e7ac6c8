import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoment, formatMomentIn } from './format.ts';

const AT = Date.UTC(2026, 2, 2, 9, 41);

test('a zone is named only where it is not the own one', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  assert.equal(formatMomentIn(AT, timeZone), formatMoment(AT));
  const other = timeZone === 'Asia/Tokyo' ? 'America/New_York' : 'Asia/Tokyo';
  assert.match(formatMomentIn(AT, other), /GMT|UTC|E[SD]T|JST/);
});
