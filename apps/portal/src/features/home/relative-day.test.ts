import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRelativeDay } from './relative-day.ts';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime();
// Some versions of the locale data have a narrow space before AM and PM.
const text = (moment: number, now: number) => formatRelativeDay(moment, now).replaceAll('\u202f', ' ');

test('yesterday, today and tomorrow are named by calendar days, not by hours', () => {
  assert.equal(text(at(10, 0), at(10, 23, 59)), 'today, 12:00 AM');
  assert.equal(text(at(9, 23, 59), at(10, 0)), 'yesterday, 11:59 PM');
  assert.equal(text(at(11, 2), at(10, 0)), 'tomorrow, 2:00 AM');
});

test('other days have their date', () => {
  assert.equal(text(at(8, 23, 59), at(10, 0)), 'Mar 8, 2026, 11:59 PM');
  assert.equal(text(at(12, 9, 5), at(10, 0)), 'Mar 12, 2026, 9:05 AM');
});

test('a night with a clock change counts as one day', () => {
  assert.equal(text(at(29, 23), at(28, 1)), 'tomorrow, 11:00 PM');
  assert.equal(text(at(28, 1), at(29, 23)), 'yesterday, 1:00 AM');
});
