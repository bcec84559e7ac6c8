import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { getEndOfDay, isEndInRange, keepEnd, toDay } from './end-dates.rules.ts';

describe('the end of a day', () => {
  test('is the first instant of the next day, also where clocks skip midnight or show it twice', () => {
    for (const [date, zone, end] of [
      ['2027-07-01', 'UTC', '2027-07-02T00:00:00Z'],
      ['2027-07-01', 'America/New_York', '2027-07-02T04:00:00Z'],
      ['2027-07-01', 'Pacific/Kiritimati', '2027-07-01T10:00:00Z'],
      ['2028-02-28', 'UTC', '2028-02-29T00:00:00Z'],
      ['2028-02-29', 'UTC', '2028-03-01T00:00:00Z'],
      ['2027-12-31', 'Asia/Kathmandu', '2027-12-31T18:15:00Z'],
      // 28 March begins at one o'clock.
      ['2027-03-27', 'Asia/Beirut', '2027-03-27T22:00:00Z'],
      // Midnight comes twice.
      ['2027-11-06', 'America/Havana', '2027-11-07T04:00:00Z'],
      // There was no 30 December.
      ['2011-12-29', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
    ] as const)
      assert.equal(getEndOfDay(date, zone), Date.parse(end), `${date} in ${zone}`);
  });

  test('is the moment at which the calendar turns', () => {
    for (const zone of ['Asia/Beirut', 'America/Havana', 'Australia/Lord_Howe', 'Europe/Dublin', 'America/Asuncion'])
      for (let at = Date.UTC(2028, 0, 1); at < Date.UTC(2029, 0, 1); at += 86_400_000) {
        const day = toDay(at, zone);
        const end = getEndOfDay(day, zone);
        assert.equal(toDay(end - 1, zone), day, `before the end of ${day} in ${zone}`);
        assert.ok(toDay(end, zone) > day, `after the end of ${day} in ${zone}`);
      }
  });
});

test('an end is today or later, up to ten years from now', () => {
  for (const [date, expected] of [
    ['2027-03-30', false],
    ['2027-03-31', true],
    ['2037-03-31', true],
    ['2037-04-02', false],
    ['0001-01-01', false],
    ['9999-12-31', false],
  ] as const)
    assert.equal(isEndInRange(date, '2027-03-31'), expected, date);
});

test('restoring access keeps a date that has not passed', () => {
  for (const [date, expected] of [
    [null, null],
    ['2027-03-30', null],
    ['2027-03-31', '2027-03-31'],
  ] as const)
    assert.equal(keepEnd(date, '2027-03-31'), expected);
});
