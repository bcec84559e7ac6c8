import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from './failure.ts';

/**
 * The same content keeps its key, so that a change takes effect once if it is repeated after a lost response. Other content gets
 * another key. Each opened form needs its own instance.
 */
export function createIdempotencyKeys(): (content: unknown) => string {
  let last = { content: '', key: '' };
  return (content) => {
    const written = JSON.stringify(content);
    if (written !== last.content) last = { content: written, key: newKey() };
    return last.key;
  };
}

/** A change of an opened form: sending the same input again, after a lost response, takes effect once. */
export function useChangeWithKey<Data, Sent extends object>(
  options: UseMutationOptions<Data, Failure, Sent & { idempotencyKey?: string }>,
) {
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const change = useMutation(options);
  const mutate = (sent: Sent, ended: MutateOptions<Data, Failure, Sent & { idempotencyKey?: string }>) =>
    change.mutate({ ...sent, idempotencyKey: idempotencyKeyFor(sent) }, ended);
  return { ...change, mutate };
}

/** Returns 128 random bits. `crypto.randomUUID` is missing on plain HTTP. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
