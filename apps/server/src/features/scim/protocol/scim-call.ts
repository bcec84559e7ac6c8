import { SCIM_LOG_REQUEST_MAX } from '@steward/contract/api/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { toRefusal } from '#platform/http/errors.ts';
import { SCIM_TYPE } from '#platform/http/scim-errors.ts';
import { addLoggedCall, type LoggedCall } from '#workspace/users/identity-providers/provisioning.store.ts';
import type { Provisioner } from '../provisioning.ts';
import { getBaseUrl } from '../tokens.actions.ts';
import { createMinuteCounter } from './minute-counter.ts';

export interface ScimCall extends Provisioner {
  deps: Deps;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The id in the path; '' without one. */
  id: string;
  baseUrl: string;
}

export interface ScimAnswer {
  status: number;
  body?: object;
}

export function toScimCall(deps: Deps, request: FastifyRequest, reply: FastifyReply): ScimCall {
  const { id = '' } = request.params as { id?: string };
  return { ...(request.who as Provisioner), deps, request, reply, id, baseUrl: getBaseUrl(deps) };
}

/** The content type is that of SCIM. */
export function sendScim(reply: FastifyReply, { status, body }: ScimAnswer): FastifyReply {
  reply.code(status);
  return body === undefined ? reply.send() : reply.type(SCIM_TYPE).send(body);
}

/** Logged refusals of a team in a minute, per process: a misconfigured provider repeats itself. */
const REFUSALS_PER_MINUTE = 120;

/** Logs refused calls that have a valid token. */
export function logRefusals(scope: FastifyInstance, deps: Deps): void {
  const countRefusal = createMinuteCounter(REFUSALS_PER_MINUTE);
  scope.addHook('onError', async (request, _reply, error) => {
    const provisioner = request.who as Provisioner | null;
    const refusal = toRefusal(error);
    if (provisioner === null || countRefusal(provisioner.teamId) > 0) return;
    const logged = toLoggedCall(request, provisioner.teamId, { status: refusal.status, effect: refusal.message });
    // The response doesn't depend on the log.
    await addLoggedCall(deps.db, logged).catch((failure) =>
      request.log.warn({ err: failure }, 'scim: refusal not logged'),
    );
  });
}

const PATH_MAX = 500;

export function toLoggedCall(
  request: FastifyRequest,
  teamId: string,
  { status, effect }: { status: number; effect: string },
): LoggedCall {
  const path = readable(request.originalUrl).slice(0, PATH_MAX);
  return {
    teamId,
    method: request.method,
    path,
    request: toLoggedBody(request.body),
    status,
    effect,
    request_id: request.id,
  };
}

/** Decodes the path if possible. */
function readable(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' ')).replaceAll('\0', '');
  } catch {
    return url;
  }
}

const SECRET = /password|secret|token/i;
const REMOVED = '[removed]';

/** JSON for the log, shortened and without passwords: some identity providers send them although none are stored. */
export function toLoggedBody(body: unknown): string {
  if (body === undefined || body === null) return '';
  return JSON.stringify(createRedactor()(body)).replaceAll('\\u0000', '').slice(0, SCIM_LOG_REQUEST_MAX);
}

/** Reads no more values than fit into the log, since each takes a character at least. */
function createRedactor(): (value: unknown) => unknown {
  let left = SCIM_LOG_REQUEST_MAX;
  return function redact(value: unknown): unknown {
    left -= 1;
    if (Array.isArray(value)) return value.slice(0, Math.max(0, left)).map(redact);
    if (typeof value === 'string') return value.slice(0, SCIM_LOG_REQUEST_MAX);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).slice(0, Math.max(0, left));
    // A PATCH operation names the attribute in its path.
    const isSecret = entries.some(([name, each]) => name.toLowerCase() === 'path' && SECRET.test(String(each)));
    return Object.fromEntries(
      entries.map(([name, each]) => [
        name,
        SECRET.test(name) || (isSecret && name.toLowerCase() === 'value') ? REMOVED : redact(each),
      ]),
    );
  };
}
