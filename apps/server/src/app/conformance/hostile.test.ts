import assert from 'node:assert/strict';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { ErrorBody } from '@steward/contract/api/errors';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { send } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { createWorld } from '#testing/authorization/actors.ts';
import { prepareRequest } from '#testing/authorization/audited-changes.ts';
import { type Fault, faults, spoil } from '#testing/authorization/hostile.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';
import { sumTables, TRACES } from '#testing/workspace/snapshot-tables.ts';

/** Requests against each call, some 3,000 together; the seed makes every run the same. CI sends 60 against each. */
const PER_CALL = Number(process.env.HOSTILE_REQUESTS ?? 15);
const SEED = 4_2026;

/** Internals that a response must never contain, such as paths and hosts. */
const INSIDES = /node_modules|\.ts:\d|\bat \w+ \(|\/apps\/server\/|postgres|pg_|kysely|syntax error|relation "|zod/i;

let rig: HelpdeskApp;
let node: TestApp;
let served = 0;

beforeAll(async () => {
  rig = await startHelpdeskApp();
  node = rig.node;
});

afterAll(() => rig[Symbol.asyncDispose]());

interface Attack {
  fault: Fault;
  request: InjectOptions;
}

/** Returns true for a request that must be refused: its body or query breaks the schema, or it names something unknown. */
function isHopeless({ body, query }: AnyEndpoint, { fault, request }: Attack): boolean {
  if (fault.in === 'path') return true;
  if (fault.in === 'headers') return false;
  if (fault.in === 'query')
    return query?.safeParse(Object.fromEntries(new URLSearchParams(String(request.query)))).success === false;
  return body !== undefined && !body.safeParse(parse(String(request.body))).success;
}

/** An empty text is no body. */
function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return Symbol('no JSON');
  }
}

/** Returns whether the request was refused, as every spoilt request may be. */
async function attack({ fault, request }: Attack): Promise<boolean> {
  served += 1;
  const reply = await send(node, request);
  const shown = `${JSON.stringify(fault).slice(0, 500)}: ${reply.status} ${reply.text}`;
  assert.ok(reply.status < 500, shown);
  assert.match(String(reply.headers['content-type']), /^application\/json; charset=utf-8$/, shown);
  if (reply.status < 400) return false;
  assert.equal(ErrorBody.parse(reply.body).status_code, reply.status, shown);
  assert.doesNotMatch(reply.text, INSIDES, shown);
  return true;
}

describe('hostile requests', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.name} answers ${PER_CALL} spoilt requests with our error body or as if nothing was wrong`, async () => {
      const { request: valid } = await prepareRequest(endpoint.name, await createWorld(node));
      const before = await sumTables(node, { except: TRACES });
      const attacks = fc.sample(faults, { seed: SEED, numRuns: PER_CALL }).flatMap((fault) => {
        const request = spoil(endpoint, valid, fault);
        return request ? [{ fault, request }] : [];
      });
      const { hopeless = [], others = [] } = Object.groupBy(attacks, (each) =>
        isHopeless(endpoint, each) ? 'hopeless' : 'others',
      );
      for (const each of hopeless) assert.ok(await attack(each), `accepted: ${JSON.stringify(each.fault)}`);
      const assertUnchanged = async () => assert.deepEqual(await sumTables(node, { except: TRACES }), before);
      if (hopeless.length > 0) await assertUnchanged();
      // A request that is right in spite of the fault may change something.
      let accepted = 0;
      for (const each of others) if (!(await attack(each))) accepted += 1;
      if (endpoint.method === 'GET' || accepted === 0) await assertUnchanged();
    });
  }

  test('one in seven reached the app, and none polluted a prototype', () => {
    assert.ok(served >= (endpoints.length * PER_CALL) / 7, `only ${served}`);
    assert.equal(({} as Record<string, unknown>).admin, undefined);
  });
});
