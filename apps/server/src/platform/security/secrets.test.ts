import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createSecrets, hashToken, newToken } from './secrets.ts';

const secrets = createSecrets('ab'.repeat(32));

test('an encrypted text decrypts only with its purpose and key, and never looks the same twice', () => {
  const text = 'päss "word"\n😀';
  const sealed = secrets.seal('mail', text);
  assert.equal(secrets.open('mail', sealed), text);
  assert.equal(createSecrets('AB'.repeat(32)).open('mail', sealed), text);
  assert.notEqual(secrets.seal('mail', text), sealed);
  assert.ok(!Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('word'));
  assert.throws(() => secrets.open('other', sealed));
  assert.throws(() => createSecrets('cd'.repeat(32)).open('mail', sealed));
});

test("during a key rotation, the previous key decrypts and verifies, but doesn't encrypt or sign", () => {
  const [older, newer] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const both = createSecrets(newer, older);
  assert.equal(both.open('mail', secrets.seal('mail', 'text')), 'text');
  assert.ok(both.verify('paging', 'text', secrets.sign('paging', 'text')));
  assert.equal(createSecrets(newer).open('mail', both.seal('mail', 'text')), 'text');
  assert.equal(both.sign('paging', 'text'), createSecrets(newer).sign('paging', 'text'));
  assert.throws(() => both.open('mail', createSecrets('ef'.repeat(32)).seal('mail', 'text')));
  assert.ok(!both.verify('paging', 'text', createSecrets('ef'.repeat(32)).sign('paging', 'text')));
});

test('an encrypted text with any byte changed, truncated or forged does not decrypt', () => {
  const sealed = secrets.seal('mail', 'text');
  const [version, iv = '', body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  for (let i = 0; i < bytes.length; i += 1) {
    const edited = Buffer.from(bytes);
    edited[i] = (edited[i] ?? 0) ^ 1;
    assert.throws(() => secrets.open('mail', `${version}.${iv}.${edited.toString('base64url')}`));
  }
  for (const forged of [
    '',
    'v1',
    'v1..',
    `v2.${iv}.${body}`,
    `v1.${iv}`,
    `v1.${iv}.${body.slice(0, 8)}`,
    `v1.AAAA.${body}`,
  ])
    assert.throws(() => secrets.open('mail', forged), forged);
});

test('a signature is valid only for its text and purpose', () => {
  const signature = secrets.sign('paging', 'text');
  assert.equal(Buffer.from(signature, 'base64url').length, 16);
  assert.ok(secrets.verify('paging', 'text', signature));
  for (const [purpose, text, given] of [
    ['paging', 'texT', signature],
    ['other', 'text', signature],
    ['paging', 'text', signature.slice(1)],
    ['paging', 'text', ''],
    ['paging', 'text', 'ä'.repeat(11)],
  ] as const)
    assert.ok(!secrets.verify(purpose, text, given));
});

test('tokens have 256 bits and are stored as a hash', () => {
  const tokens = new Set(Array.from({ length: 1_000 }, () => newToken()));
  assert.equal(tokens.size, 1_000);
  for (const token of tokens) {
    assert.match(token, /^[\w-]{43}$/);
    assert.notEqual(hashToken(token), token);
  }
  assert.equal(hashToken('a'), 'ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs');
});
