import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRelativeDay } from './relative-day.ts';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime();
// A narrow space stands before AM and PM in some versions of the locale's data.
const text = (moment: number, now: number) => formatRelativeDay(moment, now).replaceAll('\u202f', ' ');

test('yesterday, today and tomorrow are called by their names, by the calendar and not by hours', () => {
  assert.equal(text(at(10, 0), at(10, 23, 59)), 'today, 12:00 AM');
  assert.equal(text(at(9, 23, 59), at(10, 0)), 'yesterday, 11:59 PM');
  assert.equal(text(at(11, 2), at(10, 0)), 'tomorrow, 2:00 AM');
});

test('other days have their date', () => {
  assert.equal(text(at(8, 23, 59), at(10, 0)), 'Mar 8, 2026, 11:59 PM');
  assert.equal(text(at(12, 9, 5), at(10, 0)), 'Mar 12, 2026, 9:05 AM');
});

test('the night in which clocks change is one day long as any other', () => {
  assert.equal(text(at(29, 23), at(28, 1)), 'tomorrow, 11:00 PM');
  assert.equal(text(at(28, 1), at(29, 23)), 'yesterday, 1:00 AM');
});
