import { z } from 'zod';

/**
 * Every error of the API: id → HTTP status and default message. A docstring says when the error occurs if the message leaves it
 * open; `npm run generate:docs` prints it.
 */
export const ERRORS = {
  'request.invalid': { status_code: 400, message: 'The request is not valid.' },
  'request.cross_site': { status_code: 403, message: 'Cross-site requests are not allowed.' },
  'request.not_found': { status_code: 404, message: 'Not found.' },
  'request.method_not_allowed': { status_code: 405, message: 'Method not allowed.' },
  'request.no_address': {
    status_code: 400,
    message: "The server can't tell where the request comes from. Ask the system administrator to check the proxy.",
  },
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
  /** The request took more than 30 s to arrive. */
  'request.timeout': { status_code: 408, message: 'The request took too long to arrive.' },
  'request.key_reused': { status_code: 422, message: 'This Idempotency-Key was already used for another request.' },
  'session.required': { status_code: 401, message: 'Please sign in.' },
  /** Sign-in failed, for whatever reason. */
  'session.bad_credentials': { status_code: 401, message: 'Sign-in failed.' },
  /** After the right password and second factor. The message names the teams, and an owner of each. */
  'session.deactivated': {
    status_code: 403,
    message: 'Your account is deactivated. Ask an owner of your team to reactivate it.',
  },
  /** After the right password and second factor: the account was removed from its teams. */
  'session.no_team': {
    status_code: 403,
    message: "Your account doesn't belong to a team anymore. Ask an owner of your team for an invitation.",
  },
  'session.own_id_only': { status_code: 403, message: 'You can only request this for yourself.' },
  /** A dangerous change, or the team's limits, need the user to prove again who they are. */
  'session.reauth_required': {
    status_code: 403,
    message: "Confirm that it's you, and try again.",
  },
  /** A session of single sign-on can't do what concerns the account or other teams. */
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
  'security.cannot_be_named': {
    status_code: 409,
    message: 'Only active owners of this team who have set up a second factor can be named.',
  },
  /** The team requires single sign-on; the body has `sso_url`, where it begins. */
  'sso.required': { status_code: 403, message: 'This team requires single sign-on.' },
  'sso.not_tested': {
    status_code: 409,
    message: 'Complete a test sign-in with these settings first.',
  },
  /** Single sign-on is, or is to be, required while no owner with a second factor is named, or while it is off. */
  'sso.no_break_glass': {
    status_code: 409,
    message:
      'Single sign-on can be required while it is on and an owner with a second factor is named under Sign-in Security to enter without it, so that the team stays open when the identity provider is down.',
  },
  'sso.incomplete': { status_code: 409, message: 'Enter the client ID and the client secret first.' },
  /** The connection is off or gone, or was replaced. */
  'sso.off': { status_code: 404, message: 'This single sign-on is switched off or no longer exists.' },
  /** The sign-in is unknown, used, older than 10 minutes or of another browser. */
  'sso.expired': {
    status_code: 400,
    message: 'This sign-in took too long, was already used or began in another browser. Try again.',
  },
  'sso.refused': {
    status_code: 403,
    message: 'Your identity provider refused the sign-in. Ask your IT department whether you may use this application.',
  },
  /** The provider's response is wrong: issuer, audience, nonce, time, code. */
  'sso.failed': {
    status_code: 502,
    message: "Your identity provider's response can't be used. Try again, and tell a team owner if it happens again.",
  },
  'sso.user_info': {
    status_code: 502,
    message:
      "Your identity provider's UserInfo response can't be read. It must be JSON, or a JWT that is signed with a key pair and not encrypted. Tell a team owner.",
  },
  'sso.signature': {
    status_code: 502,
    message: "Your identity provider's signature can't be verified. Try again in a minute.",
  },
  /** The provider doesn't answer within 10 s, or its address isn't public. */
  'sso.unreachable': {
    status_code: 502,
    message:
      "Your identity provider can't be reached. Try again later. Team owners with a second factor can sign in with their password.",
  },
  'sso.unverified_email': {
    status_code: 403,
    message: "Your identity provider hasn't confirmed your email address, so no account was linked.",
  },
  /** The address of an unlinked user isn't in a verified domain of the team, or a Google account is outside its Workspace. */
  'sso.domain': {
    status_code: 403,
    message: "Your email address isn't in a domain that this team has verified.",
  },
  'sso.no_account': {
    status_code: 403,
    message: 'There is no account for you in this team. Ask a team owner for an invitation.',
  },
  /** The user has to accept an invitation with their own account. */
  'sso.accept_invitation': {
    status_code: 403,
    message:
      'You already have an account outside this team, or are invited as an admin. Sign in with your password and accept the invitation under My Account.',
  },
  /** An owner or admin has to link from a recent session. */
  'sso.link_first': {
    status_code: 403,
    message:
      'You manage this team, so link single sign-on yourself: sign in with your password and second factor, then choose Link under My account.',
  },
  /** An owner tests the connection with a session that isn't recent, or without their second factor. */
  'sso.recent_sign_in': {
    status_code: 403,
    message:
      'You signed in too long ago for a test. Sign out, sign in with your password and second factor, and test again.',
  },
  /** The account is linked to another user of the provider. */
  'sso.other_identity': {
    status_code: 403,
    message: 'Your account is linked to another user of the identity provider. Ask a team owner for help.',
  },
  /** The browser is signed in with another account. */
  'sso.other_account': {
    status_code: 403,
    message: 'You are signed in with another account. Sign out first, then try again.',
  },
  /** A session is to be confirmed, and another user of the provider came back. */
  'sso.other_user': {
    status_code: 403,
    message: 'You signed in at the identity provider as a different user.',
  },
  'sso.deactivated': {
    status_code: 403,
    message: 'Your account is deactivated in this team. Ask one of its owners to reactivate it.',
  },
  /** The domain is a public suffix or belongs to a mail provider. */
  'domains.public': {
    status_code: 400,
    message: 'This domain is shared by many organizations. Add a domain that belongs to yours.',
  },
  'domains.taken': { status_code: 409, message: 'Another team has already verified this domain.' },
  /** DNS doesn't have the record. */
  'domains.not_found': {
    status_code: 409,
    message: "The DNS record wasn't found yet. It can take an hour until a new record is visible everywhere.",
  },
  /** The team has `DOMAINS_PER_TEAM` domains. */
  'domains.too_many': { status_code: 409, message: 'The team has as many domains as it can have.' },
  'mfa.enroll_required': {
    status_code: 403,
    message: 'This team requires a second factor. Set one up in your account, or sign in with it.',
  },
  /** The session is confirmed by single sign-on; `sso_url` in the body says where. */
  'session.reauth_sso': {
    status_code: 403,
    message: "Confirm that it's you where you signed in: with your company's single sign-on.",
  },
  /** The password is right, and a code is needed. */
  'mfa.required': { status_code: 401, message: 'Enter the code of your authenticator app, or a recovery code.' },
  'mfa.wrong': { status_code: 401, message: 'This code is wrong, has expired or was already used.' },
  /** Too many codes were checked within 10 minutes. */
  'mfa.throttled': { status_code: 429, message: 'Too many wrong codes. Wait ten minutes and try again.' },
  'mfa.already_set_up': { status_code: 409, message: 'An authenticator app is already set up. Remove it first.' },
  /** No authenticator app is being set up, or its set-up began more than an hour ago. */
  'mfa.not_started': {
    status_code: 409,
    message: 'Setting up the authenticator app took too long or was started again elsewhere. Start again.',
  },
  /** Recovery codes need a second factor. */
  'mfa.not_set_up': { status_code: 409, message: 'Set up a second factor first.' },
  /** The user has `PASSKEYS_MAX` passkeys. */
  'mfa.too_many_passkeys': {
    status_code: 409,
    message: 'You have as many passkeys as you can have. Remove one first.',
  },
  /** The passkey is unknown, or what it signed isn't valid. */
  'passkey.refused': {
    status_code: 401,
    message: "This passkey wasn't accepted. Try again, or use your password.",
  },
  /** The passkey or signature that the browser created isn't valid. */
  'passkey.not_created': { status_code: 400, message: "The passkey couldn't be added. Try again." },
  /** `PUBLIC_URL` has an IP address. */
  'passkey.unsupported': {
    status_code: 409,
    message: "Passkeys don't work with an IP address. Ask the operator to give the server a name (PUBLIC_URL).",
  },
  'team.admin_required': { status_code: 403, message: "You aren't an admin or owner of this team." },
  'team.owner_required': { status_code: 403, message: 'Only an owner of this team can do this.' },
  'record.not_found': { status_code: 404, message: 'This record does not exist.' },
  'record.conflict': { status_code: 409, message: 'This was changed by someone else. Reload and try again.' },
  /** A run that still works is to be restored. */
  'retention.run_running': { status_code: 409, message: 'This run is still working. Wait until it has ended.' },
  /** Nothing of the run is archived. */
  'retention.not_recoverable': {
    status_code: 409,
    message: 'What this run deleted can no longer be restored, or was never kept.',
  },
  /** A hold over the whole team needs the team's name as confirmation. */
  'holds.confirm': {
    status_code: 400,
    message: "This hold covers everything in the team. To confirm, send the team's name.",
  },
  'holds.narrower': {
    status_code: 409,
    message: 'A hold can only be widened. Release this one and create another that covers less.',
  },
  'holds.released': { status_code: 409, message: 'This hold has ended.' },
  /** `HOLDS_MAX` holds are active. */
  'holds.too_many': {
    status_code: 409,
    message: 'The team has as many legal holds as it can have. Release one first.',
  },
  /** A hold on restored content can't be changed. */
  'holds.automatic': {
    status_code: 409,
    message: "A hold on restored content can't be changed. An owner can release it.",
  },
  /** A hold covers content of the user who would be erased. */
  'holds.holds_user': {
    status_code: 409,
    message: "A legal hold covers this user's content, so it can't be erased. Release the hold first.",
  },
  /** The call changes one's own membership or revokes the session in use: My account and signing out do that. */
  'users.own_account': { status_code: 400, message: 'To end your own session, sign out.' },
  'users.zendesk_has_no_actions': {
    status_code: 403,
    message: "Zendesk users can't sign in, so there are no actions.",
  },
  'users.pending_has_no_sessions': {
    status_code: 403,
    message: "This person hasn't accepted the invitation yet and has no sessions.",
  },
  /** The invitation hasn't been accepted, so there is no password to reset (in `refusals` only). */
  'users.pending_has_no_password': {
    status_code: 403,
    message: "This person hasn't accepted the invitation yet and has no password.",
  },
  'users.owner_is_locked': { status_code: 409, message: "A team owner can't be changed here." },
  'users.owner_has_no_end': {
    status_code: 409,
    message: 'Owners have no end date. Remove the end date first.',
  },
  /** Before today in the team's time zone, or too far ahead. */
  'users.end_out_of_range': {
    status_code: 400,
    message: 'The end date must be today or later, and at most ten years from now.',
  },
  'users.last_owner': {
    status_code: 409,
    message: 'A team needs at least one owner. Make someone else an owner first.',
  },
  'users.not_accepted': { status_code: 409, message: "This person hasn't accepted the invitation yet." },
  'users.deactivated': { status_code: 409, message: 'This person is deactivated.' },
  /** The user is in other teams too. */
  'users.name_is_theirs': {
    status_code: 409,
    message: 'This person is also in other teams, so you can only change their account type.',
  },
  'users.not_pending': { status_code: 409, message: 'This person already has an account.' },
  'users.bulk_running': {
    status_code: 409,
    message: 'Another change to many users is still running. Try again when it is done.',
  },
  /** Only a deactivated or former user can be erased. */
  'users.still_active': {
    status_code: 409,
    message: 'This person is still active. Deactivate or remove them first.',
  },
  /** `confirm` isn't the user's email address. */
  'users.wrong_confirmation': {
    status_code: 400,
    message: "This isn't the user's email address.",
  },
  'users.no_factors': { status_code: 409, message: 'This person has no second factor.' },
  /** The account is in another team, active or deactivated. */
  'users.factor_needed_elsewhere': {
    status_code: 409,
    message:
      'This account also belongs to another team, so no team can remove its second factors. The person can sign in with a recovery code or another factor and set up a new one, or ask the operator of the server.',
  },
  'directory.import_ended': { status_code: 409, message: 'This import has already ended.' },
  /** The import is older than 30 days, running, or undone already. */
  'directory.import_cannot_be_undone': { status_code: 409, message: "This import can't be undone." },
  'token.required': { status_code: 401, message: 'A service token of this workspace is required.' },
  'token.other_team': { status_code: 403, message: 'This service token belongs to another team.' },
  /** The team has `TOKENS_PER_TEAM` tokens. */
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
  /** The text isn't the name of an account. */
  'helpdesk.bad_domain': {
    status_code: 400,
    message: 'Enter a valid account name or address.',
  },
  /** The template can't be used, or was stopped; the message has line and column where they are known. */
  'helpdesk.bad_template': { status_code: 400, message: "This template can't be used." },
  'helpdesk.bad_channels': { status_code: 400, message: 'Choose at least one open channel of this team.' },
  'helpdesk.missing_credential': { status_code: 400, message: 'Enter the credentials.' },
  'helpdesk.refused': { status_code: 400, message: 'The service refused the request.' },
  /** The vendor can't be reached; nothing was changed. */
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
  /** Another change of this integration is in progress. */
  'helpdesk.busy': {
    status_code: 409,
    message: 'Someone else is changing this integration right now. Try again in a minute.',
  },
  /** `PUBLIC_URL` isn't a public https address. */
  'helpdesk.no_public_address': {
    status_code: 409,
    message: 'Deliveries need a public HTTPS address. Ask the operator to set PUBLIC_URL.',
  },
  /** The team has sent 10 test messages in a minute. */
  'helpdesk.too_many_tests': {
    status_code: 429,
    message: 'Too many test messages. Try again in a minute.',
  },
  /** The link of a reset or a new email address is unknown, or something else has ended it, such as a new password. */
  'link.invalid': { status_code: 400, message: 'This link has expired or was already used. Request a new one.' },
  'link.expired': { status_code: 400, message: 'This link has expired. Request a new one.' },
  'link.used': { status_code: 400, message: 'This link was already used. To use it again, request a new one.' },
  /** A newer link was sent after this one. */
  'link.replaced': {
    status_code: 400,
    message: 'A newer email has replaced this link. Open the link in the newest email, or request another one.',
  },
  /** The sign-up or invitation link is used, expired or unknown. */
  'signup.link_invalid': {
    status_code: 400,
    message:
      'This link has expired or was already used. If you already finished, sign in; otherwise request a new one.',
  },
  /** The invitation link is unknown, expired, used up or revoked, or its creator is no longer an admin. */
  'join.link_ended': {
    status_code: 400,
    message: 'This invitation link no longer works. Ask the person who gave it to you for a new one.',
  },
  /** The address isn't in one of the domains of the invitation link. */
  'join.domain': {
    status_code: 403,
    message: 'This invitation link is only for addresses of certain domains. Use your work address.',
  },
  /** The team has `LINKS_PER_TEAM` open invitation links. */
  'users.too_many_links': {
    status_code: 409,
    message: 'This team has as many open invitation links as it can have. Revoke one first.',
  },
  /** The team has no source of activity of this kind. */
  'inactivity.no_source': {
    status_code: 409,
    message: 'This source has not reported any activity yet, so the rule would warn people who are active.',
  },
  /** The night was confirmed already, or another one has begun since. */
  'inactivity.night_over': {
    status_code: 409,
    message: 'This night can no longer be confirmed. Reload the page to see the newest one.',
  },
  /** The night deactivated nobody, or was undone already. */
  'inactivity.nothing_to_undo': { status_code: 409, message: 'This night has nothing to undo.' },
  /** The team has `EXCEPTIONS_PER_TEAM` exceptions. */
  'inactivity.too_many_exceptions': {
    status_code: 409,
    message: 'This team has as many exceptions as it can have. Remove one first.',
  },
  /** The warning was answered, withdrawn or replaced, or the membership has ended. */
  'inactivity.link_ended': {
    status_code: 400,
    message: 'This link was used already or no longer works. Sign in, or ask an owner of the team.',
  },
  /** The service token may not speak for users. */
  'token.cannot_report': {
    status_code: 403,
    message: 'This token may not speak for users, so it cannot report their activity.',
  },
  'signup.closed': { status_code: 403, message: 'Sign-up is closed on this server. Ask for an invitation to a team.' },
  /** The owner's address isn't in one of the domains that may sign up a team. */
  'signup.domain': {
    status_code: 403,
    message: 'Only addresses of certain domains can sign up a team on this server. Use your work address.',
  },
  /** The set-up link is used, expired or not the newest, or there is a team. */
  'setup.link_invalid': {
    status_code: 400,
    message:
      'This set-up link was used, has expired or is not the newest one. If there is no team yet, restart the server: it prints a new link.',
  },
  'signup.passwords_differ': { status_code: 400, message: 'Passwords must be matching. ' },
  /** The user is active in no team, and would lose the invitations to the current address. */
  'email.needs_team': {
    status_code: 409,
    message: 'Join a team before you change your email: your invitations are to the current one.',
  },
  /** The link to confirm a new address belongs to another account than the session. */
  'email.other_account': {
    status_code: 403,
    message: 'This link belongs to another account. Sign in with that account to confirm its new address.',
  },
  /** Another account got the address after the link was sent. */
  'email.taken': { status_code: 409, message: 'Another account has this email address by now.' },
  /** The current password is wrong; counts as a failed sign-in. */
  'password.wrong': { status_code: 400, message: 'The current password is wrong.' },
  'password.too_common': { status_code: 400, message: 'This password is too common. Choose another one.' },
  /** The file can't be decoded as a picture, or is an animation. */
  'picture.unreadable': {
    status_code: 400,
    message: "This file can't be read as a picture. Choose a PNG, JPEG or WebP image that isn't animated.",
  },
  /** The picture has more than 40 megapixels. */
  'picture.too_many_pixels': {
    status_code: 400,
    message: 'This picture is too large. Choose one with at most 40 megapixels.',
  },
  'scim.token_required': { status_code: 401, message: 'A provisioning token of a team is required.' },
  /** The team has `SCIM_TOKENS_PER_TEAM` provisioning tokens. */
  'scim.too_many_tokens': {
    status_code: 409,
    message: 'This team has as many provisioning tokens as it can have. Remove one first.',
  },
  /** A SCIM body lacks its schema or has the wrong structure. */
  'scim.invalid_syntax': { status_code: 400, message: 'The request has the wrong structure.' },
  /** A SCIM filter isn't valid, or has an attribute that can't be filtered by. */
  'scim.invalid_filter': { status_code: 400, message: 'The filter is not valid.' },
  'scim.invalid_path': { status_code: 400, message: 'The path of an operation is not valid.' },
  'scim.invalid_value': { status_code: 400, message: 'A value is missing or not valid.' },
  'scim.no_target': { status_code: 400, message: 'The path of an operation matches no value.' },
  'scim.mutability': { status_code: 400, message: 'This attribute is read-only.' },
  /** Another user of the team has the user name or the address. */
  'scim.uniqueness': { status_code: 409, message: 'Another user of the team has this name.' },
  /** `If-Match` names another version. */
  'scim.version': { status_code: 412, message: 'The resource has changed since that version.' },
  /** The identity provider deactivates or removes the last owner. */
  'scim.last_owner': {
    status_code: 403,
    message: "This is the team's only owner. Make someone else an owner first.",
  },
  /** Bulk operations and `Me` aren't supported. */
  'scim.not_supported': { status_code: 501, message: 'This is not supported.' },
  /** The call has no valid connector token. */
  'connector.token_required': { status_code: 401, message: 'A connector token is required.' },
  /** Another bridge has the lease, or the `Connector-Lease` of the call is missing or has ended. */
  'connector.leased': {
    status_code: 409,
    message: 'Another bridge uses this connection, or the lease has ended. Take a lease first.',
  },
  /** A page of a list is missing, or the list has ended. */
  'connector.list_order': { status_code: 409, message: 'This page does not follow the last one. Begin a new list.' },
  /** The permit wasn't begun in time, or what it names may no longer be deleted. */
  'connector.permit_void': { status_code: 409, message: 'This permit is void. Take another one.' },
  /** Another outcome was reported before. */
  'connector.reported': { status_code: 409, message: 'Another outcome was reported before.' },
  /** No owner of the team has accepted the connection. */
  'connections.not_accepted': {
    status_code: 409,
    message: 'An owner of this team has to accept the connection first.',
  },
  /** A member or an invitation of the team has the address of the user of the server. */
  'connections.address_in_team': {
    status_code: 409,
    message:
      "This team already has a member or an invitation with this address, so that it can't be invited from here.",
  },
  /** The server lists another address for this user now. */
  'connections.address_changed': {
    status_code: 409,
    message: 'The address of this user has changed at the server. Load the list again.',
  },
  /** The user is a bot, deactivated, without an address, or has left the team. */
  'connections.not_invitable': { status_code: 409, message: "This user can't be invited." },
  /** The user has an account or an open invitation. */
  'connections.linked': { status_code: 409, message: 'This user already has an account or an invitation.' },
  /** No account and no invitation belongs to the user of the server. */
  'connections.not_linked': { status_code: 409, message: 'No account is linked to this user.' },
  /** Not all messages of the team were listed yet. */
  'connections.filling': {
    status_code: 409,
    message: 'The messages of this server are still being counted. Rules can be saved when that is done.',
  },
  /** The team doesn't govern the direct messages of the server. */
  'connections.no_direct_messages': {
    status_code: 409,
    message: 'This team does not govern the direct messages of the server.',
  },
  /** The order has ended. */
  'connections.order_ended': { status_code: 409, message: 'This order has already ended.' },
  /** There were too many attempts, or too many templates of the team wait. */
  'rate.limited': { status_code: 429, message: 'Too many attempts. Wait a few minutes and try again.' },
  'server.error': { status_code: 500, message: 'Something went wrong on our side. Try again.' },
  /** The database or the file store is unavailable, or the server is overloaded. */
  'server.unavailable': {
    status_code: 503,
    message: 'The service is unavailable. Try again in a moment.',
  },
} as const satisfies Record<string, { status_code: number; message: string }>;

export const ErrorId = z.enum(Object.keys(ERRORS) as [keyof typeof ERRORS]);
export type ErrorId = keyof typeof ERRORS;

/** `request_id` finds the line in the server's log. */
export const ErrorBody = z.object({
  status_code: z.int(),
  message: z.string(),
  id: z.string(),
  request_id: z.string(),
  /** Start of the single sign-on, with `sso.required` and `session.reauth_sso`. */
  sso_url: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Response of a call that returns nothing else. */
export const Done = z.object({ status_code: z.literal(200) });
export type Done = z.infer<typeof Done>;

/** The cookie with the message of a refused single sign-on, which the page reads. With https, its name begins with `__Host-`. */
export const REFUSAL_COOKIE = 'steward_refusal';
