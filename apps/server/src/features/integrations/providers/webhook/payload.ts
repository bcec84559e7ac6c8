import { parseJson } from '#platform/http/json.ts';

const DEPTH_MAX = 100;

export type Payload = Record<string, unknown>;

/** Parses the JSON object in a body; undefined if it isn't one, or is nested too deeply. */
export function parsePayload(body: string | Uint8Array): Payload | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = parseJson(text, { depth: DEPTH_MAX });
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
}

/** Used in place of the payload until the first delivery. */
export const SAMPLE_PAYLOAD = {
  event: 'build_failed',
  title: 'Build 1284 failed',
  status: 'failed',
  url: 'https://ci.example.com/builds/1284',
  author: { name: 'Ada Admin', email: 'ada@acme.example' },
  items: ['lint', 'test'],
};
