import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const PUBLIC = [
  '8.8.8.8',
  '104.16.51.111',
  '172.15.255.255',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::6810:336f',
  '2a00::1',
];
const CLOSED = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:0:7f00:1',
  '0:0:0:0:0:0:7f00:1',
  '64:ff9b:1::7f00:1',
  '100:0:0:1::1',
  '5f00::1',
  '3fff::1',
  '2001:0:7f00:1::',
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  '127.1',
  '0x7f000001',
  '2130706433',
  '64:ff9b::7f00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
];

describe('addresses', () => {
  for (const address of PUBLIC) test(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
  for (const address of CLOSED) test(`${address} is not public`, () => assert.equal(isPublicAddress(address), false));
});
