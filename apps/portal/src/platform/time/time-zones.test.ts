import assert from 'node:assert/strict';
import { test } from 'vitest';
import { listTimeZones, matchesZone, toZoneOption } from './time-zones.ts';

const WINTER = Date.UTC(2026, 0, 15);
const find = (value: string, now = WINTER) => toZoneOption(value, now).label;

test('a zone is labeled with its city, its region and the offset of the day', () => {
  assert.equal(find('Europe/Berlin'), 'Berlin, Europe (UTC+01:00)');
  assert.equal(find('Europe/Berlin', Date.UTC(2026, 6, 15)), 'Berlin, Europe (UTC+02:00)');
  assert.equal(find('America/New_York'), 'New York, America (UTC-05:00)');
  assert.equal(find('America/Indiana/Knox'), 'Knox, America, Indiana (UTC-06:00)');
  assert.equal(find('Europe/London'), 'London, Europe (UTC+00:00)');
  assert.equal(find('UTC'), 'UTC');
});

test('zones are sorted from west to east, and each is listed once', () => {
  const zones = listTimeZones('Europe/Berlin', WINTER);
  const at = (value: string) => zones.findIndex((zone) => zone.value === value);
  assert.ok(at('America/New_York') < at('America/St_Johns') && at('America/St_Johns') < at('UTC'));
  assert.ok(at('UTC') < at('Europe/Berlin') && at('Europe/Berlin') < at('Asia/Tokyo'));
  assert.equal(new Set(zones.map(({ value }) => value)).size, zones.length);
});

test('a stored zone that the browser doesn’t know stays in the list', () => {
  assert.deepEqual(
    listTimeZones('Mars/Olympus_Mons', WINTER).find(({ value }) => value === 'Mars/Olympus_Mons'),
    { value: 'Mars/Olympus_Mons', label: 'Olympus Mons, Mars' },
  );
});

test('a search finds a zone by city, region, name and offset', () => {
  const zone = { value: 'America/New_York', label: 'New York, America (UTC-05:00)' };
  for (const search of ['new york', 'York america', 'america/new_york', '-05', 'utc-05:00', '']) {
    assert.ok(matchesZone(zone, search), search);
  }
  assert.ok(!matchesZone(zone, 'york europe'));
});
