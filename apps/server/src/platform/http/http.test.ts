import assert from 'node:assert/strict';
import type { FastifyRequest } from 'fastify';
import { test } from 'vitest';
import { rejectCrossSite } from './http.ts';

/** Tells if a server with this PUBLIC_URL accepts a change from this Origin. */
function isLetThrough(publicUrl: string, { origin, host }: { origin: string; host: string }): boolean {
  const request = { method: 'POST', headers: { origin, host } } as unknown as FastifyRequest;
  try {
    rejectCrossSite(publicUrl)(request);
    return true;
  } catch {
    return false;
  }
}

test('a public server accepts its own origin alone, scheme and port included', () => {
  const publicUrl = 'https://steward.example/';
  assert.ok(isLetThrough(publicUrl, { origin: 'https://steward.example', host: 'steward.example' }));
  for (const origin of ['http://steward.example', 'https://steward.example:8443', 'https://evil.example', 'null'])
    assert.ok(!isLetThrough(publicUrl, { origin, host: 'steward.example' }), origin);
  assert.ok(!isLetThrough(publicUrl, { origin: 'https://evil.example', host: 'evil.example' }));
  assert.ok(!isLetThrough(publicUrl, { origin: 'http://localhost:3000', host: 'localhost:3000' }));
});

test('a server on this machine is opened by each of its loopback names', () => {
  const publicUrl = 'http://localhost:3000';
  for (const host of ['localhost:5173', '127.0.0.1:3000', '[::1]:3000'])
    assert.ok(isLetThrough(publicUrl, { origin: `http://${host}`, host }), host);
  assert.ok(!isLetThrough(publicUrl, { origin: 'http://localhost:5173', host: 'localhost:3000' }));
  assert.ok(!isLetThrough(publicUrl, { origin: 'https://localhost:3000', host: 'localhost:3000' }));
  assert.ok(!isLetThrough(publicUrl, { origin: 'http://rebound.example', host: 'rebound.example' }));
});
