import { randomBytes } from 'node:crypto';
import { Verification } from '@steward/contract/integrations/verification';
import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { newToken } from '#platform/security/secrets.ts';
import { opened, seal } from '#workspace/integrations/integration-health.ts';
import type { IntegrationRow, Step } from '../../integrations.store.ts';
import type { Session, TypedCredentials } from '../provider.ts';
import { readStandardKey } from './authenticate.ts';
import { type Sender, verifiedBy } from './senders/sender.ts';

/** The sealed settings, besides the secret itself. Until there were several methods, a signature header was all there was. */
const Stored = z.union([
  Verification,
  z
    .object({ signature_header: z.string() })
    .transform(({ signature_header: header }) =>
      header === '' ? verifiedBy('bearer') : verifiedBy('hmac', { header, prefix: 'sha256=' }),
    ),
]);

/** A secret of an admin's own choice must not be easy to guess. */
const SECRET_MIN = 16;

/** Valid header names, and those reserved for other purposes. */
const HEADER = /^[a-z0-9][a-z0-9!#$%&'*+.^_`|~-]{0,99}$/;
const RESERVED =
  /^(?:authorization|cookie|host|connection|transfer-encoding|te|trailer|upgrade|content-.*|proxy-.*|sec-.*)$/;

/** The way in which requests are verified; the preferred one of the sender if the integration isn't connected. */
export function getVerification(
  deps: Pick<Deps, 'secrets'>,
  sender: Sender,
  row: Pick<IntegrationRow, 'credentials'> | undefined,
): Verification {
  const json = opened(deps, row?.credentials ?? null);
  const stored = json === undefined ? undefined : Stored.parse(JSON.parse(json));
  const choice = getChoice(sender, stored?.method);
  return stored ? merge(choice, stored) : choice.verification;
}

/** A session with the submitted form; there is no service to verify it with. */
export async function verifySession(
  deps: Deps,
  sender: Sender,
  { form, row }: { form: TypedCredentials; row: IntegrationRow | undefined },
): Promise<Session> {
  const before = row && getVerification(deps, sender, row);
  const verification = form.verification ? readVerification(sender, form.verification) : before;
  const { secret_from, ...choice } = getChoice(sender, verification?.method);
  const next = verification ?? choice.verification;
  const isKept = before?.method === next.method && !(form.rotate_secret && secret_from !== 'sender');
  const typed = form.secret?.trim() ?? '';
  if (typed !== '') return createSession(deps, next, { secret: checkSecret(next, typed) });
  if (isKept) return createSession(deps, next);
  if (secret_from === 'sender') return createSession(deps, next, { secret: '' });
  const secret = next.method === 'standard' ? `whsec_${randomBytes(32).toString('base64')}` : newToken();
  return createSession(deps, next, { secret, isShown: true });
}

export function openSession(deps: Deps, sender: Sender, row: IntegrationRow): Session {
  return createSession(deps, getVerification(deps, sender, row));
}

function getChoice({ verifications }: Sender, method: Verification['method'] | undefined) {
  const choice = verifications.find(({ verification }) => verification.method === method) ?? verifications[0];
  if (!choice) throw new Error('A sender has no verification');
  return choice;
}

/** Only what an admin may change comes from the settings. */
function merge({ fields, verification }: Sender['verifications'][number], settings: Verification): Verification {
  return { ...verification, ...Object.fromEntries(fields.map((field) => [field, settings[field]])) };
}

function readVerification(sender: Sender, typed: Verification): Verification {
  const choice = getChoice(sender, typed.method);
  if (choice.verification.method !== typed.method)
    refuse('request.invalid', "verification: isn't a way of this sender");
  const settings = merge(choice, {
    ...typed,
    header: typed.header.trim().toLowerCase(),
    prefix: typed.prefix.trim(),
    timestamp_header: typed.timestamp_header.trim().toLowerCase(),
  });
  if (choice.fields.includes('header')) checkHeader('header', settings.header);
  if (settings.timestamp_header !== '') checkHeader('timestamp_header', settings.timestamp_header);
  return settings;
}

function checkHeader(field: 'header' | 'timestamp_header', name: string): void {
  if (!HEADER.test(name) || RESERVED.test(name))
    refuse('request.invalid', `verification.${field}: must be the name of a header that can carry it`);
}

function checkSecret({ method }: Verification, secret: string): string {
  if (method === 'standard' && readStandardKey(secret) === undefined)
    refuse('request.invalid', 'secret: must be base64, which may start with whsec_');
  if (secret.length < SECRET_MIN) refuse('request.invalid', `secret: must have at least ${SECRET_MIN} characters`);
  return secret;
}

/** Without a secret, the stored one is kept. */
function createSession(
  deps: Deps,
  verification: Verification,
  { secret, isShown = false }: { secret?: string; isShown?: boolean } = {},
): Session {
  const credentials = seal(deps, JSON.stringify(verification));
  const step: Step = { credentials, ...(secret !== undefined && { signing_secret: seal(deps, secret) }) };
  return {
    login: { domain: '', username: '', authentication: 2 },
    secret: isShown ? secret : undefined,
    prepare: async () => ({ credentials, warnings: [] }),
    connect: async () => step,
    replace: async (_held, commit) => {
      await commit(step);
      return [];
    },
    saveTriggers: async () => [],
  };
}
