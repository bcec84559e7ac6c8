import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, text } from '../api/fields.ts';
import { CREDENTIAL_MAX, EMAIL_MAX, TEMPLATE_BODY_MAX, TRIGGER_CHANNELS_MAX } from '../api/limits.ts';

const TeamParams = z.object({ teamId: Id });
/** The path names an integration by the id that the list gives. */
export const IntegrationParams = z.object({ teamId: Id, integrationId: z.string() });

/** How a connection is: not made, working, working with something to look at, not working. */
export const IntegrationHealth = z.enum(['off', 'ok', 'warning', 'failing']);
export type IntegrationHealth = z.infer<typeof IntegrationHealth>;

/** A tile of the list (spec §3, integration). Instants are milliseconds since 1970. */
export const Integration = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  health: IntegrationHealth,
  /** What an admin should look at, each a whole sentence. */
  warnings: z.array(z.string()),
  /** When the last delivery came in, and the last one that could not be posted everywhere with its reason; '' for none. */
  last_delivery_at: z.int().nullable(),
  last_error: z.string(),
  last_error_at: z.int().nullable(),
});
export type Integration = z.infer<typeof Integration>;

/** The integrations of a team: the vendors that we know, connected or not (spec §7). */
export const listIntegrations = endpoint({
  name: 'listIntegrations',
  method: 'GET',
  path: '/admin/teams/:teamId/integrations',
  summary: 'Integrations of the team, connected or not.',
  params: TeamParams,
  answer: z.object({ records: z.array(Integration) }),
});

/** How we sign in at the vendor: 1 password, 2 token (spec §9), 3 OAuth client credentials (design §8). */
export const Authentication = z.union([z.literal(1), z.literal(2), z.literal(3)]);
export type Authentication = z.infer<typeof Authentication>;

/** A field of a credential form, by the name that it has in the calls. */
export const CredentialField = z.object({
  name: z.enum(['domain', 'username', 'password', 'token', 'client_id', 'client_secret', 'signature_header']),
  label: z.string(),
  /** Help below the field; '' for none. */
  hint: z.string(),
  /** `secret_text` is a secret that is long enough for several lines. */
  type: z.enum(['text', 'email', 'password', 'secret_text']),
  /** What follows the value, such as the rest of a host name; '' for nothing. */
  suffix: z.string(),
  required: z.boolean(),
});
export type CredentialField = z.infer<typeof CredentialField>;

/** The credential form of a provider: fields of every kind, then the ways to sign in, the preferred one first. */
export const CredentialForm = z.object({
  fields: z.array(CredentialField),
  kinds: z.array(
    z.object({ authentication: Authentication, label: z.string(), hint: z.string(), fields: z.array(CredentialField) }),
  ),
});
export type CredentialForm = z.infer<typeof CredentialForm>;

const credential = text(CREDENTIAL_MAX);

/** Fields of the credential form. Which secret is needed follows from `authentication`; the server says which is missing. */
const credentials = {
  /** Subdomain at the vendor; its whole host name or address is cut down to that. */
  domain: text(300),
  /** Address of the user at the vendor; not needed with OAuth. */
  username: text(EMAIL_MAX),
  authentication: Authentication,
  password: credential.optional(),
  token: credential.optional(),
  client_id: credential.optional(),
  client_secret: credential.optional(),
  /** Header that carries the HMAC-SHA256 of the body, where a service signs its requests; '' for a bearer secret. */
  signature_header: text(100).optional(),
  /** Asks for a new secret where we make it; the old one stops working at once. */
  rotate_secret: z.boolean().optional(),
};

/** Done, and what an admin should look at: each a whole sentence. */
const DoneWithWarnings = Done.extend({ warnings: z.array(z.string()) });

const Connected = DoneWithWarnings.extend({
  /** A secret that was made by this change. It is shown once: enter it at the service. */
  secret: z.string().optional(),
});

/**
 * Connects: checks the credentials at the vendor, makes the webhook there, keeps the credentials sealed. Connected already, it
 * replaces the credentials. Refuses with `integrations.*`; then nothing is stored and nothing is left at the vendor.
 */
export const connectIntegration = endpoint({
  name: 'connectIntegration',
  method: 'POST',
  path: '/admin/teams/:teamId/integrations/:integrationId',
  summary: 'Connect the help desk.',
  params: IntegrationParams,
  body: z.object({ ...credentials, integration: z.string().max(100).optional() }),
  answer: Connected,
});

/** A channel that tickets go to. */
export const TriggerChannel = z.object({ channel_id: Id, channel_name: text(500).optional() });

/** The stored settings, without any secret (spec §3, integration detail). */
export const IntegrationDetail = z.object({
  integration: Id,
  code: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  credential_form: CredentialForm,
  /** Whether an admin chooses the events that become messages. */
  has_events: z.boolean(),
  /** Where the service has to send its requests; '' if we tell it ourselves, or before it is connected. */
  hook_url: z.string(),
  /** Header that carries the signature of a request; '' for a bearer secret. */
  signature_header: z.string(),
  domain: z.string(),
  username: z.string(),
  authentication: Authentication,
  ticket_created: z.boolean(),
  ticket_updated: z.boolean(),
  /** JSON body template, base64 of UTF-8. */
  message: z.string(),
  channel_details: z.array(
    z.object({ channel_id: Id, channel_name: z.string(), state: z.enum(['active', 'archived', 'missing']) }),
  ),
  warnings: z.array(z.string()),
  health: IntegrationHealth,
  last_delivery_at: z.int().nullable(),
  last_error: z.string(),
  last_error_at: z.int().nullable(),
});
export type IntegrationDetail = z.infer<typeof IntegrationDetail>;

/** Settings of one integration; before it is connected, what it would begin with (spec §3: `ticket_created` true). */
export const getIntegration = endpoint({
  name: 'getIntegration',
  method: 'GET',
  path: '/admin/teams/:teamId/integrations/:integrationId',
  summary: 'Settings of an integration, without its secrets.',
  params: IntegrationParams,
  answer: IntegrationDetail,
});

const Message = z.string().max(TEMPLATE_BODY_MAX, 'is too long');

/**
 * Changes triggers, credentials or both: what is absent stays as it is. An absent or empty secret keeps the stored one. Refuses
 * `helpdesk.no_action` without ticket_created and ticket_updated, and templates with the place of the fault.
 */
export const saveIntegration = endpoint({
  name: 'saveIntegration',
  method: 'PUT',
  path: '/admin/teams/:teamId/integrations/:integrationId',
  summary: 'Change the triggers or the credentials of an integration.',
  params: IntegrationParams,
  body: z.object({
    ...z.object(credentials).partial().shape,
    integration: z.string().max(100),
    ticket_created: z.boolean().optional(),
    ticket_updated: z.boolean().optional(),
    message: Message.optional(),
    channel_details: z.array(TriggerChannel).max(TRIGGER_CHANNELS_MAX).optional(),
  }),
  answer: Connected,
});

/** Disconnects: removes our triggers and webhook at the vendor and forgets the credentials. Acts on the path alone. */
export const disableIntegration = endpoint({
  name: 'disableIntegration',
  method: 'DELETE',
  path: '/admin/teams/:teamId/integrations/:integrationId',
  summary: 'Disconnect the help desk.',
  params: IntegrationParams,
  answer: DoneWithWarnings,
});

/** Something in a template: where, what, and what was probably meant. Lines and columns count from 1. */
export const TemplateProblem = z.object({
  severity: z.enum(['error', 'warning']),
  text: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  /** Placeholder that was probably meant. */
  suggestion: z.string().nullable(),
});
export type TemplateProblem = z.infer<typeof TemplateProblem>;

/** Renders a template, saved or not, with the sample ticket. Problems are part of the answer, not a refusal. */
export const previewTemplate = endpoint({
  name: 'previewTemplate',
  method: 'POST',
  path: '/admin/teams/:teamId/integrations/:integrationId/preview',
  summary: 'See what a template makes of a sample ticket.',
  params: IntegrationParams,
  body: z.object({ message: Message }),
  answer: z.object({
    /** The JSON that the vendor would send; '' where the template cannot be rendered. */
    json: z.string(),
    /** What would stand in the channel. */
    text: z.string(),
    problems: z.array(TemplateProblem),
  }),
});

/** Posts the sample ticket, marked as a test, with values that need not be saved, and asks the vendor for a delivery to us. */
export const testIntegration = endpoint({
  name: 'testIntegration',
  method: 'POST',
  path: '/admin/teams/:teamId/integrations/:integrationId/test',
  summary: 'Send a test message to the chosen channels.',
  params: IntegrationParams,
  body: z.object({ message: Message, channel_details: z.array(TriggerChannel).min(1).max(TRIGGER_CHANNELS_MAX) }),
  answer: z.object({
    text: z.string(),
    channels: z.array(z.object({ channel_id: Id, channel_name: z.string(), posted: z.boolean(), error: z.string() })),
    /** Whether the vendor reached us and got through; '' in `connection_error` when it did. */
    connection_error: z.string(),
  }),
});
