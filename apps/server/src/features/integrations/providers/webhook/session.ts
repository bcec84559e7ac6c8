import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { newToken } from '#platform/security/secrets.ts';
import { opened, seal } from '#workspace/integrations/integration-health.ts';
import type { IntegrationRow, Step } from '../../integrations.store.ts';
import type { Session, TypedCredentials } from '../provider.ts';

/** The sealed settings, besides the secret itself. */
const Settings = z.object({ signature_header: z.string() });

/** Valid header names, and those reserved for other purposes. */
const HEADER = /^[a-z0-9][a-z0-9!#$%&'*+.^_`|~-]{0,99}$/;
const RESERVED =
  /^(?:authorization|cookie|host|connection|transfer-encoding|te|trailer|upgrade|content-.*|proxy-.*|sec-.*)$/;

/** The signature header of a form, in lower case; '' for a bearer secret. */
function readSignatureHeader({ signature_header }: TypedCredentials): string {
  const name = (signature_header ?? '').trim().toLowerCase();
  if (name !== '' && (!HEADER.test(name) || RESERVED.test(name)))
    refuse('request.invalid', 'signature_header: must be the name of a header that can carry a signature');
  return name;
}

/** The header that carries the signature of requests; '' for a bearer secret. */
export function getSignatureHeader(deps: Pick<Deps, 'secrets'>, row: IntegrationRow): string {
  const json = opened(deps, row.credentials);
  return json === undefined ? '' : Settings.parse(JSON.parse(json)).signature_header;
}

/**
 * A session with the submitted form; there is no service to verify it with. Generates a secret for a new connection, or when
 * an admin requests a new one, which replaces the old one.
 */
export async function verifySession(deps: Deps, form: TypedCredentials, row?: IntegrationRow): Promise<Session> {
  const header = row && form.signature_header === undefined ? getSignatureHeader(deps, row) : readSignatureHeader(form);
  return createSession(deps, header, !row || form.rotate_secret ? newToken() : undefined);
}

export function openSession(deps: Deps, row: IntegrationRow): Session {
  return createSession(deps, getSignatureHeader(deps, row));
}

function createSession(deps: Deps, signature_header: string, secret?: string): Session {
  const credentials = seal(deps, JSON.stringify({ signature_header }));
  const step: Step = { credentials, ...(secret !== undefined && { signing_secret: seal(deps, secret) }) };
  return {
    login: { domain: '', username: '', authentication: 2 },
    secret,
    prepare: async () => ({ credentials, warnings: [] }),
    connect: async () => step,
    replace: async (_held, commit) => {
      await commit(step);
      return [];
    },
    saveTriggers: async () => [],
  };
}
