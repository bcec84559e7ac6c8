import { z } from 'zod';

/** Every refusal the server can answer: id → HTTP status and default text (spec §8). The status is written here only. */
export const ERRORS = {
  'request.invalid': { status_code: 400, message: 'The request is not valid.' },
  'request.cross_site': { status_code: 403, message: 'This request came from another site and was refused.' },
  'request.not_found': { status_code: 404, message: 'There is nothing at this address.' },
  'request.method_not_allowed': { status_code: 405, message: 'This address does not know that method.' },
  'request.too_large': { status_code: 413, message: 'The request is too large.' },
  'request.not_json': { status_code: 415, message: 'The request must be JSON (Content-Type: application/json).' },
  'request.not_ndjson': {
    status_code: 415,
    message: 'The request must be NDJSON (Content-Type: application/x-ndjson).',
  },
  'request.timeout': { status_code: 408, message: 'The request took too long to arrive.' },
  'request.key_reused': { status_code: 422, message: 'This Idempotency-Key was used before with another request.' },
  'session.required': { status_code: 401, message: 'Please sign in.' },
  'session.bad_credentials': { status_code: 401, message: 'Sign-in failed.' },
  'session.own_id_only': { status_code: 403, message: 'This can only be asked for yourself.' },
  'team.admin_required': { status_code: 403, message: 'You are not an admin or owner of this team.' },
  'record.not_found': { status_code: 404, message: 'This record does not exist.' },
  'record.conflict': { status_code: 409, message: 'This conflicts with what is stored.' },
  'users.own_account': { status_code: 400, message: 'To end your own session, sign out.' },
  'users.zendesk_has_no_actions': {
    status_code: 403,
    message: 'A Zendesk user has no sign-in, so there is nothing to do here.',
  },
  'users.pending_has_no_sessions': {
    status_code: 403,
    message: 'This person has not accepted the invitation yet and has no sessions.',
  },
  'users.owner_is_locked': { status_code: 409, message: 'A team owner cannot be changed here.' },
  'users.deactivated': { status_code: 409, message: 'This person is deactivated.' },
  'users.name_is_theirs': {
    status_code: 409,
    message: 'This person belongs to other teams too; only the account type can be changed here.',
  },
  'users.not_pending': { status_code: 409, message: 'This person has an account already.' },
  'users.too_many_invitations': {
    status_code: 429,
    message: 'Too many invitations were sent just now. Please try again in an hour.',
  },
  'directory.import_ended': { status_code: 409, message: 'This import has ended already.' },
  'directory.import_cannot_be_undone': { status_code: 409, message: 'This import cannot be undone.' },
  'token.required': { status_code: 401, message: 'A service token of this workspace is required.' },
  'token.other_team': { status_code: 403, message: 'This service token belongs to another team.' },
  'tokens.too_many': { status_code: 409, message: 'This team has as many service tokens as it can have.' },
  'channels.members_only': { status_code: 403, message: 'You do not belong to this channel.' },
  'channels.archived': { status_code: 409, message: 'This channel is archived: nothing can be written in it.' },
  'channels.general_required': { status_code: 400, message: 'The channel general must be among the default channels.' },
  'channels.not_of_team': { status_code: 400, message: 'One of these channels cannot be chosen in this team.' },
  'channels.join_running': {
    status_code: 409,
    message: 'People are still being added to the channels of an earlier save. Please try again when that is done.',
  },
  'integrations.no_action': { status_code: 400, message: 'Please select atleast one action.' },
  'integrations.bad_domain': {
    status_code: 400,
    message: 'This is not the name of a Zendesk account, such as acme in acme.zendesk.com.',
  },
  'integrations.bad_template': { status_code: 400, message: 'The template cannot be used.' },
  'integrations.bad_channels': { status_code: 400, message: 'Please choose at least one open channel of this team.' },
  'integrations.missing_credential': { status_code: 400, message: 'Please enter what Zendesk signs you in with.' },
  'integrations.refused': { status_code: 400, message: 'Zendesk refused the request.' },
  'integrations.unreachable': {
    status_code: 502,
    message: 'Zendesk could not be reached; nothing was changed.',
  },
  'integrations.limited': { status_code: 429, message: 'Zendesk is limiting requests; try again in a minute.' },
  'integrations.not_connected': { status_code: 409, message: 'This integration is not connected.' },
  'integrations.bad_signature': { status_code: 401, message: 'This request is not signed as it must be.' },
  'integrations.busy': {
    status_code: 409,
    message: 'Somebody is changing this integration right now. Please try again in a minute.',
  },
  'integrations.no_public_address': {
    status_code: 409,
    message: 'Zendesk can only deliver to a public address by https. Please ask the operator to set PUBLIC_URL.',
  },
  'integrations.too_many_tests': {
    status_code: 429,
    message: 'Too many test messages were sent just now. Please wait a minute.',
  },
  'link.invalid': { status_code: 400, message: 'This link is not valid any more. Please ask for a new one.' },
  'signup.link_invalid': {
    status_code: 400,
    message:
      'This link does not work any more. If you finished with it already, please sign in. Otherwise ask for a new one.',
  },
  'signup.passwords_differ': { status_code: 400, message: 'Passwords must be matching. ' },
  'password.too_common': { status_code: 400, message: 'This password is too common. Please choose another one.' },
  'rate.limited': { status_code: 429, message: 'Too many tries. Please wait a few minutes and try again.' },
  'server.error': { status_code: 500, message: 'Something went wrong on our side. Please try again.' },
  'server.unavailable': {
    status_code: 503,
    message: 'The service is not available right now. Please try again in a moment.',
  },
} as const satisfies Record<string, { status_code: number; message: string }>;

/** Id of a refusal in the catalogue. */
export type ErrorId = keyof typeof ERRORS;

/** Body of every answer that is not a success; `request_id` finds the line in the server's log (spec §8). */
export const ErrorBody = z.object({
  status_code: z.int(),
  message: z.string(),
  id: z.string(),
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Success of a call whose answer the spec does not show (spec §7). */
export const Done = z.object({ status_code: z.literal(200) });
export type Done = z.infer<typeof Done>;
