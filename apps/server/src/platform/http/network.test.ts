import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getNetwork, isInNetworks, normalizeNetwork, readAddress } from './network.ts';

test('an address has one form, however a proxy writes it', () => {
  for (const [text, address] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:207', '192.0.2.7'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['203.0.113.7:_Tls', '203.0.113.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['[2001:DB8::7]', '2001:db8::7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['"203.0.113.7"', '203.0.113.7'],
    ['" [2001:db8::7]:443 "', '2001:db8::7'],
    [' 203.0.113.7\t', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
  ] as const)
    assert.equal(readAddress(text), address, text);
});

test('other text is no address', () => {
  for (const text of [
    ...['', ' ', '""', '-', 'unknown', 'UNKNOWN', '_hidden', '_SEVKISEK', 'proxy', 'localhost', 'for=192.0.2.7'],
    // Also read as octal, hexadecimal or shortened IPv4 by some programs.
    ...[
      '127.1',
      '0x7f.0.0.1',
      '010.0.0.1',
      '2130706433',
      '256.1.1.1',
      '192.0.2.7:',
      '192.0.2.7:x',
      '192.0.2.7 192.0.2.8',
    ],
    ...['[2001:db8::7', '2001:db8::7]', '[unknown]:443', '2001:db8:::7', '192.0.2.7/24'],
  ])
    assert.equal(readAddress(text), undefined, text);
  assert.equal(readAddress(undefined), undefined);
});

test('the addresses of one subscriber are one network, those of others are not', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['unknown', 'unknown'],
  ] as const)
    assert.equal(getNetwork(address), network, address);
});

test('a network in its normal form has no bits of hosts, and IPv4 inside IPv6 is IPv4', () => {
  assert.equal(normalizeNetwork('203.0.113.9/24'), '203.0.113.0/24');
  assert.equal(normalizeNetwork('203.0.113.9'), '203.0.113.9/32');
  assert.equal(normalizeNetwork('2001:DB8::1/32'), '2001:db8::/32');
  assert.equal(normalizeNetwork('2001:db8::1'), '2001:db8::1/128');
  assert.equal(normalizeNetwork('::ffff:198.51.100.7'), '198.51.100.7/32');
  assert.equal(normalizeNetwork('::ffff:198.51.100.7/120'), '198.51.100.0/24');
  assert.equal(normalizeNetwork('0.0.0.0/0'), '0.0.0.0/0');
});

test('an address is in a network of its own kind only', () => {
  assert.equal(isInNetworks('203.0.113.9', ['0.0.0.0/0']), true);
  assert.equal(isInNetworks('2001:db8::1', ['0.0.0.0/0']), false);
  assert.equal(isInNetworks('203.0.113.9', ['::/0']), false);
  assert.equal(isInNetworks('fe80::1%eth0', ['fe80::/10']), true);
  assert.equal(isInNetworks('proxy', ['0.0.0.0/0', '::/0']), false);
});
