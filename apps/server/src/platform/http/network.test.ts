import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getNetwork, isInNetworks, normalizeAddress, normalizeNetwork } from './network.ts';

test('an address has one form', () => {
  for (const [address, normal] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:207', '192.0.2.7'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['', ''],
    ['unknown', 'unknown'],
  ] as const)
    assert.equal(normalizeAddress(address), normal, address);
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
