import { z } from 'zod';

/** Every error of the API: id → HTTP status and default message. The status is set only here. */
export const ERRORS = {
  'request.invalid': { status_code: 400, message: 'The request is not valid.' },
  'request.cross_site': { status_code: 403, message: 'Cross-site requests are not allowed.' },
  'request.not_found': { status_code: 404, message: 'Not found.' },
  'request.method_not_allowed': { status_code: 405, message: 'Method not allowed.' },
  'request.too_large': { status_code: 413, message: 'The request is too large.' },
  'request.not_json': { status_code: 415, message: 'The request must be JSON (Content-Type: application/json).' },
  'request.not_ndjson': {
    status_code: 415,
    message: 'The request must be NDJSON (Content-Type: application/x-ndjson).',
  },
  'request.not_image': {
    status_code: 415,
    message: 'The request must be a PNG, JPEG or WebP image (Content-Type: image/png, image/jpeg or image/webp).',
  },
  'request.timeout': { status_code: 408, message: 'The request took too long to arrive.' },
  'request.key_reused': { status_code: 422, message: 'This Idempotency-Key was already used for another request.' },
  'session.required': { status_code: 401, message: 'Please sign in.' },
  'session.bad_credentials': { status_code: 401, message: 'Sign-in failed.' },
  'session.own_id_only': { status_code: 403, message: 'You can only request this for yourself.' },
  'session.reauth_required': {
    status_code: 403,
    message: "Confirm that it's you, and try again.",
  },
  'session.team_only': {
    status_code: 403,
    message: "You signed in through your company, which doesn't cover this. Sign in with your password instead.",
  },
  'security.network': {
    status_code: 403,
    message: "This team can't be opened from your network. Ask one of its owners which networks are allowed.",
  },
  'security.locks_you_out': {
    status_code: 409,
    message: 'These networks leave out your own address, so you would be locked out. Add it first.',
  },
  'sso.required': { status_code: 403, message: 'This team requires single sign-on.' },
  'sso.not_tested': {
    status_code: 409,
    message: 'Complete a test sign-in with these settings first.',
  },
  'sso.no_break_glass': {
    status_code: 409,
    message:
      'Single sign-on can be required once it is on and an owner has set up a second factor, so that the team stays open when the identity provider is down.',
  },
  'sso.incomplete': { status_code: 409, message: 'Enter the client ID and the client secret first.' },
  'sso.off': { status_code: 404, message: 'This single sign-on is switched off or no longer exists.' },
  'sso.expired': {
    status_code: 400,
    message: 'This sign-in took too long, was already used or began in another browser. Try again.',
  },
  'sso.refused': {
    status_code: 403,
    message: 'Your identity provider refused the sign-in. Ask your IT department whether you may use this application.',
  },
  'sso.failed': {
    status_code: 502,
    message: "Your identity provider's response can't be used. Try again, and tell a team owner if it happens again.",
  },
  'sso.signature': {
    status_code: 502,
    message: "Your identity provider's signature can't be verified. Try again in a minute.",
  },
  'sso.unreachable': {
    status_code: 502,
    message:
      "Your identity provider can't be reached. Try again later. Team owners with a second factor can sign in with their password.",
  },
  'sso.unverified_email': {
    status_code: 403,
    message: "Your identity provider hasn't confirmed your email address, so no account was linked.",
  },
  'sso.domain': {
    status_code: 403,
    message: "Your email address isn't in a domain that this team has verified.",
  },
  'sso.no_account': {
    status_code: 403,
    message: 'There is no account for you in this team. Ask a team owner for an invitation.',
  },
  'sso.accept_invitation': {
    status_code: 403,
    message:
      'You already have an account outside this team, or are invited as an admin. Sign in with your password and accept the invitation under My Account.',
  },
  'sso.link_first': {
    status_code: 403,
    message:
      'You manage this team, so link single sign-on yourself: sign in with your password and second factor, then choose Link under My account.',
  },
  'sso.recent_sign_in': {
    status_code: 403,
    message:
      'You signed in too long ago for a test. Sign out, sign in with your password and second factor, and test again.',
  },
  'sso.other_identity': {
    status_code: 403,
    message: 'Your account is linked to another user of the identity provider. Ask a team owner for help.',
  },
  'sso.other_account': {
    status_code: 403,
    message: 'You are signed in with another account. Sign out first, then try again.',
  },
  'sso.other_user': {
    status_code: 403,
    message: 'You signed in at the identity provider as a different user.',
  },
  'sso.deactivated': { status_code: 403, message: 'Your account is deactivated in this team.' },
  'domains.public': {
    status_code: 400,
    message: 'This domain is shared by many organizations. Add a domain that belongs to yours.',
  },
  'domains.taken': { status_code: 409, message: 'Another team has already verified this domain.' },
  'domains.not_found': {
    status_code: 409,
    message: "The DNS record wasn't found yet. It can take an hour until a new record is visible everywhere.",
  },
  'domains.too_many': { status_code: 409, message: 'The team has as many domains as it can have.' },
  'mfa.enroll_required': {
    status_code: 403,
    message: 'This team requires a second factor. Set one up in your account, or sign in with it.',
  },
  'session.reauth_sso': {
    status_code: 403,
    message: "Confirm that it's you where you signed in: with your company's single sign-on.",
  },
  'mfa.required': { status_code: 401, message: 'Enter the code of your authenticator app, or a recovery code.' },
  'mfa.wrong': { status_code: 401, message: 'This code is wrong, has expired or was already used.' },
  'mfa.throttled': { status_code: 429, message: 'Too many wrong codes. Wait ten minutes and try again.' },
  'mfa.already_set_up': { status_code: 409, message: 'An authenticator app is already set up. Remove it first.' },
  'mfa.not_started': {
    status_code: 409,
    message: 'Setting up the authenticator app took too long or was started again elsewhere. Start again.',
  },
  'mfa.not_set_up': { status_code: 409, message: 'Set up a second factor first.' },
  'mfa.too_many_passkeys': {
    status_code: 409,
    message: 'You have as many passkeys as you can have. Remove one first.',
  },
  'passkey.refused': {
    status_code: 401,
    message: "This passkey wasn't accepted. Try again, or use your password.",
  },
  'passkey.not_created': { status_code: 400, message: "The passkey couldn't be added. Try again." },
  'passkey.unsupported': {
    status_code: 409,
    message: "Passkeys don't work with an IP address. Ask the operator to give the server a name (PUBLIC_URL).",
  },
  'team.admin_required': { status_code: 403, message: "You aren't an admin or owner of this team." },
  'team.owner_required': { status_code: 403, message: 'Only an owner of this team can do this.' },
  'record.not_found': { status_code: 404, message: 'This record does not exist.' },
  'record.conflict': { status_code: 409, message: 'This was changed by someone else. Reload and try again.' },
  'retention.run_running': { status_code: 409, message: 'This run is still working. Wait until it has ended.' },
  'retention.not_recoverable': {
    status_code: 409,
    message: 'What this run deleted can no longer be restored, or was never kept.',
  },
  'holds.confirm': {
    status_code: 400,
    message: "This hold covers everything in the team. To confirm, send the team's name.",
  },
  'holds.narrower': {
    status_code: 409,
    message: 'A hold can only be widened. Release this one and create another that covers less.',
  },
  'holds.released': { status_code: 409, message: 'This hold has ended.' },
  'holds.too_many': {
    status_code: 409,
    message: 'The team has as many legal holds as it can have. Release one first.',
  },
  'holds.automatic': {
    status_code: 409,
    message: "A hold on restored content can't be changed. An owner can release it.",
  },
  'holds.holds_user': {
    status_code: 409,
    message: "A legal hold covers this user's content, so it can't be erased. Release the hold first.",
  },
  'users.own_account': { status_code: 400, message: 'To end your own session, sign out.' },
  'users.zendesk_has_no_actions': {
    status_code: 403,
    message: "Zendesk users can't sign in, so there are no actions.",
  },
  'users.pending_has_no_sessions': {
    status_code: 403,
    message: "This person hasn't accepted the invitation yet and has no sessions.",
  },
  'users.pending_has_no_password': {
    status_code: 403,
    message: "This person hasn't accepted the invitation yet and has no password.",
  },
  'users.owner_is_locked': { status_code: 409, message: "A team owner can't be changed here." },
  'users.last_owner': {
    status_code: 409,
    message: 'A team needs at least one owner. Make someone else an owner first.',
  },
  'users.not_accepted': { status_code: 409, message: "This person hasn't accepted the invitation yet." },
  'users.deactivated': { status_code: 409, message: 'This person is deactivated.' },
  'users.name_is_theirs': {
    status_code: 409,
    message: 'This person is also in other teams, so you can only change their account type.',
  },
  'users.not_pending': { status_code: 409, message: 'This person already has an account.' },
  'users.bulk_running': {
    status_code: 409,
    message: 'Another change to many users is still running. Try again when it is done.',
  },
  'users.still_active': {
    status_code: 409,
    message: 'This person is still active. Deactivate or remove them first.',
  },
  'users.wrong_confirmation': {
    status_code: 400,
    message: "This isn't the user's email address.",
  },
  'users.no_factors': { status_code: 409, message: 'This person has no second factor.' },
  'users.factor_needed_elsewhere': {
    status_code: 409,
    message: "Another team relies on this person's second factor. Ask the operator of the server to reset it.",
  },
  'directory.import_ended': { status_code: 409, message: 'This import has already ended.' },
  'directory.import_cannot_be_undone': { status_code: 409, message: "This import can't be undone." },
  'token.required': { status_code: 401, message: 'A service token of this workspace is required.' },
  'token.other_team': { status_code: 403, message: 'This service token belongs to another team.' },
  'tokens.too_many': { status_code: 409, message: 'This team has reached its service token limit.' },
  'channels.members_only': { status_code: 403, message: "You aren't a member of this channel." },
  'channels.compliance_not_needed': {
    status_code: 400,
    message: 'Compliance access is for private and direct channels. This one is public.',
  },
  'channels.archived': { status_code: 409, message: "This channel is archived and can't receive messages." },
  'channels.general_required': { status_code: 400, message: 'General must be a default channel.' },
  'channels.not_of_team': { status_code: 400, message: "One of these channels can't be used in this team." },
  'channels.join_running': {
    status_code: 409,
    message: 'Members are still being added to channels after an earlier change. Try again when that is done.',
  },
  'helpdesk.no_action': { status_code: 400, message: 'Please select atleast one action.' },
  'helpdesk.bad_domain': {
    status_code: 400,
    message: 'Enter a valid account name or address.',
  },
  'helpdesk.bad_template': { status_code: 400, message: "This template can't be used." },
  'helpdesk.bad_channels': { status_code: 400, message: 'Choose at least one open channel of this team.' },
  'helpdesk.missing_credential': { status_code: 400, message: 'Enter the credentials.' },
  'helpdesk.refused': { status_code: 400, message: 'The service refused the request.' },
  'helpdesk.unreachable': {
    status_code: 502,
    message: "The service couldn't be reached. Nothing was changed.",
  },
  'helpdesk.limited': { status_code: 429, message: 'The service is limiting requests. Try again in a minute.' },
  'helpdesk.not_connected': { status_code: 409, message: 'This integration is not connected.' },
  'helpdesk.bad_signature': {
    status_code: 401,
    message: 'The signature or secret of this request is missing or wrong.',
  },
  'helpdesk.busy': {
    status_code: 409,
    message: 'Someone else is changing this integration right now. Try again in a minute.',
  },
  'helpdesk.no_public_address': {
    status_code: 409,
    message: 'Deliveries need a public HTTPS address. Ask the operator to set PUBLIC_URL.',
  },
  'helpdesk.too_many_tests': {
    status_code: 429,
    message: 'Too many test messages. Try again in a minute.',
  },
  'link.invalid': { status_code: 400, message: 'This link has expired or was already used. Request a new one.' },
  'signup.link_invalid': {
    status_code: 400,
    message:
      'This link has expired or was already used. If you already finished, sign in; otherwise request a new one.',
  },
  'signup.closed': { status_code: 403, message: 'Sign-up is closed on this server. Ask for an invitation to a team.' },
  'signup.domain': {
    status_code: 403,
    message: 'Only addresses of certain domains can sign up a team on this server. Use your work address.',
  },
  'setup.link_invalid': {
    status_code: 400,
    message:
      'This set-up link was used, has expired or is not the newest one. If there is no team yet, restart the server: it prints a new link.',
  },
  'signup.passwords_differ': { status_code: 400, message: 'Passwords must be matching. ' },
  'email.needs_team': {
    status_code: 409,
    message: 'Join a team before you change your email: your invitations are to the current one.',
  },
  'email.taken': { status_code: 409, message: 'Another account has this email address by now.' },
  'password.wrong': { status_code: 400, message: 'The current password is wrong.' },
  'password.too_common': { status_code: 400, message: 'This password is too common. Choose another one.' },
  'picture.unreadable': {
    status_code: 400,
    message: "This file can't be read as a picture. Choose a PNG, JPEG or WebP image that isn't animated.",
  },
  'picture.too_many_pixels': {
    status_code: 400,
    message: 'This picture is too large. Choose one with at most 40 megapixels.',
  },
  'scim.token_required': { status_code: 401, message: 'A provisioning token of a team is required.' },
  'scim.too_many_tokens': {
    status_code: 409,
    message: 'This team has as many provisioning tokens as it can have. Remove one first.',
  },
  'scim.invalid_syntax': { status_code: 400, message: 'The request has the wrong structure.' },
  'scim.invalid_filter': { status_code: 400, message: 'The filter is not valid.' },
  'scim.invalid_path': { status_code: 400, message: 'The path of an operation is not valid.' },
  'scim.invalid_value': { status_code: 400, message: 'A value is missing or not valid.' },
  'scim.no_target': { status_code: 400, message: 'The path of an operation matches no value.' },
  'scim.mutability': { status_code: 400, message: 'This attribute is read-only.' },
  'scim.uniqueness': { status_code: 409, message: 'Another user of the team has this name.' },
  'scim.version': { status_code: 412, message: 'The resource has changed since that version.' },
  'scim.last_owner': {
    status_code: 403,
    message: "This is the team's only owner. Make someone else an owner first.",
  },
  'scim.not_supported': { status_code: 501, message: 'This is not supported.' },
  'rate.limited': { status_code: 429, message: 'Too many attempts. Wait a few minutes and try again.' },
  'server.error': { status_code: 500, message: 'Something went wrong on our side. Try again.' },
  'server.unavailable': {
    status_code: 503,
    message: 'The service is unavailable. Try again in a moment.',
  },
} as const satisfies Record<string, { status_code: number; message: string }>;

/** Id of an error in the catalog. */
export const ErrorId = z.enum(Object.keys(ERRORS) as [keyof typeof ERRORS]);
export type ErrorId = keyof typeof ERRORS;

/** Body of every error response; `request_id` finds the line in the server's log. */
export const ErrorBody = z.object({
  status_code: z.int(),
  message: z.string(),
  id: z.string(),
  request_id: z.string(),
  /** With `sso.required` and `session.reauth_sso`: where the single sign-on begins. */
  sso_url: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Response of a call that returns nothing else. */
export const Done = z.object({ status_code: z.literal(200) });
export type Done = z.infer<typeof Done>;
