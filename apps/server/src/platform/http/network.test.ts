import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getNetwork, normalizeAddress } from './network.ts';

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
