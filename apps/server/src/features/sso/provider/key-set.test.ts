import assert from 'node:assert/strict';
import type { JWK } from 'jose';
import { test } from 'vitest';
import { toKeySet } from './key-set.ts';

const bytes = (length: number) => Buffer.alloc(length, 255).toString('base64url');
const kept = (...keys: JWK[]) => toKeySet({ keys }).keys.map(({ kid }) => kid);

test('a key set leaves out keys that no sign-in uses or that are slow to verify with', () => {
  const keys: JWK[] = [
    { kid: 'RSA 8192', kty: 'RSA', n: bytes(1_024), e: 'AQAB' },
    { kid: 'RSA 8200', kty: 'RSA', n: bytes(1_025), e: 'AQAB' },
    { kid: 'RSA with a long exponent', kty: 'RSA', n: bytes(256), e: bytes(256) },
    { kid: 'RSA without a modulus', kty: 'RSA', e: 'AQAB' },
    { kid: 'P-521', kty: 'EC', crv: 'P-521' },
    { kid: 'Ed25519', kty: 'OKP', crv: 'Ed25519' },
    { kid: 'an unknown curve', kty: 'EC', crv: 'B-571' },
    { kid: 'a curve for encryption', kty: 'OKP', crv: 'X25519' },
    { kid: 'a shared secret', kty: 'oct', k: 'x' },
  ];
  assert.deepEqual(kept(...keys), ['RSA 8192', 'P-521', 'Ed25519']);
});

test('a key set with more than 20 keys is refused, and so is one without a list', () => {
  const key = { kty: 'EC', crv: 'P-256' };
  assert.equal(kept(...Array.from({ length: 20 }, () => key)).length, 20);
  assert.throws(() => kept(...Array.from({ length: 21 }, () => key)), /too many keys/);
  assert.throws(() => toKeySet({ keys: 'none' }));
});
