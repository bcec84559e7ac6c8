import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

test('only addresses of the public internet are public', () => {
  for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700::1111'])
    assert.equal(isPublicAddress(address), true, address);
  const others = ['10.0.0.1', '127.0.0.1', '169.254.169.254', '192.168.1.1', '172.16.0.1', '100.64.0.1', '0.0.0.0'];
  const others6 = ['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fd00::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'];
  const carriers = ['64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::', '255.255.255.255', '224.0.0.1', 'ff02::1'];
  for (const address of [...others, ...others6, ...carriers, '192.0.2.1', '2001:db8::1', 'x', ''])
    assert.equal(isPublicAddress(address), false, address);
});
