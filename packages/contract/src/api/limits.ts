/** Interval for checking whether the user is still signed in. */
export const STATUS_POLL_MS = 30_000;
/** Delay of a search after the last keystroke. */
export const SEARCH_IDLE_MS = 1_000;
/** Time after which an alert closes. */
export const ALERT_MS = 4_000;
/** Delay before the page reloads after switching teams. */
export const SWITCH_TEAM_RELOAD_MS = 100;
/** The next page loads when this many rows are left below. */
export const LIST_THRESHOLD_ROWS = 4;

/** Rows in one page of a list. */
export const PAGE_ROWS = 100;
/** Most rows that a caller may request in one page, as exports do. */
export const PAGE_ROWS_MAX = 2_000;
/** Most ids in one status call. */
export const STATUS_IDS_MAX = 100;
/** Most active sessions of one user; the oldest ends when one more begins. */
export const SESSIONS_PER_USER = 20;

/** A team's limits of a session: minutes without a request, and hours since it began. They are never longer than the server's. */
export const IDLE_MINUTES_MIN = 5;
export const IDLE_MINUTES_MAX = 1440;
export const SESSION_HOURS_MIN = 1;
export const SESSION_HOURS_MAX = 720;
/** Most networks that a team can be opened from. */
export const NETWORKS_MAX = 100;
/** Most owners who are named to enter without single sign-on. */
export const OWNERS_NAMED_MAX = 100;

/** Before a dangerous change, the session must have been confirmed within this time. */
export const STEP_UP_MINUTES = 10;

/** Most email domains of a team, most groups with a role, and the longest name of an identity provider. */
export const DOMAINS_PER_TEAM = 50;
export const GROUP_ROLES_MAX = 100;
export const SSO_NAME_MAX = 100;
/** Recovery codes of one account. */
export const RECOVERY_CODES = 10;
/** Passkeys of one account, and the longest name of one. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX = 100;
/** Lifetime of the challenge that a passkey signs, in minutes. */
export const CHALLENGE_MINUTES = 5;

/** Most known browsers of one user; the least recently used one is forgotten. */
export const DEVICES_PER_USER = 20;
/** Days that a browser is known after the last sign-in with it. */
export const DEVICE_DAYS = 365;

/** Expensive calls of one user in one team within a minute: searches, counts and previews, ages and forecasts, started exports. */
export const SEARCHES_PER_MINUTE = 300;
export const COUNTS_PER_MINUTE = 120;
export const FORECASTS_PER_MINUTE = 60;
export const EXPORTS_PER_MINUTE = 20;

/** Largest body of calls without a session, such as a sign-in or a sign-up, and of other small calls, in bytes. */
export const SMALL_BODY_MAX = 16 * 1024;
/** Shortest password accepted. */
export const PASSWORD_MIN = 8;
/** Longest password accepted, in its normalized form; a longer one is refused before it is hashed. */
export const PASSWORD_MAX = 128;
/** Longest password as typed: some keyboards send the marks of a letter as characters of their own. */
export const PASSWORD_TYPED_MAX = 4 * PASSWORD_MAX;
/** Largest picture that a user can upload, in bytes. */
export const PICTURE_MAX = 5 * 1024 * 1024;
/** Longest first or last name. */
export const NAME_MAX = 100;
/** Longest name of a team. */
export const TEAM_NAME_MAX = 100;
/** Longest name of a time zone. */
export const TIME_ZONE_MAX = 64;
/** Days that sign-ins are logged, and that a network is known after a sign-in from it. */
export const SIGN_IN_DAYS = 90;
/** Maximum number of invitations in a sign-up. */
export const INVITEES_MAX = 10;
/** Lifetime of the links in sign-up and invitation emails, in hours. */
export const SIGNUP_HOURS = 24;
export const SETUP_HOURS = 24;
export const INVITATION_HOURS = 48;

/** Lifetime of the link that confirms a new email address, in hours. */
export const EMAIL_CHANGE_HOURS = 24;

/** Rows of one call that adds or edits users, and its size in bytes: the longest rows fit. */
export const USERS_PER_CALL = 2000;
export const USERS_PER_CALL_BYTES = 2 * 1024 * 1024;

/** Invitation emails to one address within 24 hours, from all teams together. Beyond it, the user's row says that none was sent. */
export const INVITATIONS_PER_ADDRESS = 3;

/** Invitation emails of a team within 24 hours. */
export const INVITATIONS_PER_TEAM = 2000;

/** Invitation emails of a team in its first week within 24 hours. */
export const INVITATIONS_PER_NEW_TEAM = 200;
/** Hours until an invitation link ends, and most users who can join by one. */
export const LINK_HOURS_MIN = 1;
export const LINK_HOURS_MAX = 720;
export const LINK_USES_MAX = 500;
/** Longest name of an invitation link, and most email domains that it can be limited to. */
export const LINK_NAME_MAX = 100;
export const LINK_DOMAINS_MAX = 20;
/** Most open invitation links of a team. */
export const LINKS_PER_TEAM = 50;
/** Most ids in one bulk call on users. */
export const USERS_PER_JOB_MAX = 10_000;
/** Most failures that a bulk job lists. */
export const JOB_FAILURES_MAX = 100;
/** Days for which a bulk job can be looked up. */
export const USER_JOB_DAYS = 30;
/** Longest email address (RFC 5321, a path without its brackets). */
export const EMAIL_MAX = 254;
/** Longest search text. */
export const SEARCH_MAX = 200;
/** Longest time without activity that users can be filtered by, in days. */
export const INACTIVE_DAYS_MAX = 3_650;
/** Longest time until a membership ends, in days: ten years. It is also the longest time by which users can be filtered. */
export const END_DAYS_MAX = 3_653;
/** Memberships that end within this many days are listed as ending soon. */
export const ENDING_SOON_DAYS = 14;

/** Days without activity after which the inactivity rule of a team warns members. */
export const INACTIVITY_DAYS_MIN = 30;
export const INACTIVITY_DAYS_MAX = 730;
/** Days for which a night of that rule is listed and can be undone. */
export const NIGHT_DAYS = 90;
/** Longest reason of an exception from the inactivity rule. */
export const EXCEPTION_REASON_MAX = 500;
/** Most exceptions of a team from the inactivity rule. */
export const EXCEPTIONS_PER_TEAM = 1_000;
/** Most users in one report of activity. */
export const REPORTED_USERS_MAX = 1_000;

/** Longest name of a directory entry. */
export const ENTRY_NAME_MAX = 200;
/** Longest phone or SMS number of a directory entry; free text, such as "+49 30 1234, ext. 12". */
export const ENTRY_NUMBER_MAX = 100;
/** Most entries in one call that adds or changes all of them or none. */
export const ENTRIES_PER_CALL_MAX = 1_000;
/** Most rows in one call of an upload. */
export const ENTRIES_PER_UPLOAD_MAX = 5_000;
/** Largest body of an upload call, in bytes: 5,000 of the longest rows fit if their letters are ASCII. */
export const UPLOAD_BODY_MAX = 4 * 1024 * 1024;
/** Longest name of an uploaded file that is kept. */
export const FILE_NAME_MAX = 255;
/** Days for which an import can be undone. */
export const UNDO_DAYS = 30;

/** Minimum and maximum number of a retention duration. */
export const RETENTION_COUNT_MIN = 1;
export const RETENTION_COUNT_MAX = 999;
/** Nights of a forecast, by default and at most. */
export const FORECAST_NIGHTS = 30;
export const FORECAST_NIGHTS_MAX = 90;
/** Days for which items deleted by a retention run can be restored, by default and at most. */
export const RECOVERABLE_DAYS = 7;
export const RECOVERABLE_DAYS_MAX = 30;
/** Days for which restored content is held, so that the next nightly run doesn't delete it again. */
export const RESTORED_HOLD_DAYS = 30;
/** Users and channels that a legal hold can name. */
export const HOLD_USERS_MAX = 10_000;
export const HOLD_CHANNELS_MAX = 10_000;
/** Length of the name of a legal hold, and of a reason. */
export const HOLD_TEXT_MAX = 500;
/** Most active legal holds of a team. */
export const HOLDS_MAX = 200;
/** Delay before the release of a legal hold takes effect. */
export const HOLD_RELEASE_MS = 24 * 3_600_000;
/** Delay before a stricter rule takes effect. */
export const RETENTION_WAIT_MS = 24 * 3_600_000;
/** Hour of the nightly run, in the team's time zone. */
export const RETENTION_HOUR = 2;

/** Longest text of a message. */
export const MESSAGE_MAX = 16_383;
/** Longest text of a note, task or other record. */
export const RECORD_TEXT_MAX = 65_535;
/** Longest title of a record. */
export const TITLE_MAX = 500;
/** Maximum length of a service's own ids. */
export const EXTERNAL_ID_MAX = 200;
/** Largest blob of a content line, in bytes; a larger one is an error of its line. */
export const BLOB_MAX = 8 * 1024 * 1024;
/** Longest line of content, in bytes: the largest blob in base64, and its text. A longer one is an error of its line. */
export const CONTENT_LINE_MAX = 12 * 1024 * 1024;
/** Most errors of content lines that one response lists; the others are counted. */
export const CONTENT_ERRORS_MAX = 10_000;
/** Longest filter of the audit log by actions. */
export const AUDIT_FILTER_MAX = 2_000;
/** Most items that a response has of a list in an audit row; the others are counted. */
export const AUDIT_ITEMS_MAX = 50;
/** Most service tokens of a team. */
export const TOKENS_PER_TEAM = 50;
/** Validity of a service token by default and at most, in years. */
export const TOKEN_YEARS = 1;
export const TOKEN_YEARS_MAX = 2;
/** Remaining validity of a token that is replaced by another one, in milliseconds. */
export const TOKEN_REPLACED_MS = 24 * 3_600_000;
/** Days before the end of a token at which owners get an email. */
export const TOKEN_NOTICE_DAYS = 14;
/** Most items that the audit log lists for one import of content; the others are counted. */
export const CONTENT_AUDIT_IDS_MAX = 1_000;
/** Longest name of a service token. */
export const TOKEN_NAME_MAX = 100;
/** Posts in a page by default and at most, as clients of Mattermost's API expect. */
export const POSTS_PER_PAGE = 60;
export const POSTS_PER_PAGE_MAX = 200;
/** Most posts in a response to `since`, the newest ones. */
export const POSTS_SINCE_MAX = 1_000;
/** Channels per page of the channel picker. */
export const CHANNELS_PER_PAGE = 100;
/** Most default channels of a team. */
export const DEFAULT_CHANNELS_MAX = 200;
/** Most channels that a group of the identity provider is mapped to. */
export const GROUP_CHANNELS_MAX = 20;
/** Longest secret of an integration. */
export const CREDENTIAL_MAX = 4_000;
/** Largest template of an integration, in bytes: Zendesk accepts rules below 65 KB. */
export const TEMPLATE_MAX = 60_000;
/** Longest template in base64. Somewhat longer than needed, so that a template that is too large gets a specific message. */
export const TEMPLATE_BODY_MAX = 400_000;
/** Most channels that an integration posts in. */
export const TRIGGER_CHANNELS_MAX = 50;
/** Largest delivery of a help desk, in bytes. */
export const DELIVERY_MAX = 512 * 1024;
/** Days for which a delivery is logged. */
export const DELIVERY_DAYS = 30;
/** Most files of a post. */
export const POST_FILES_MAX = 10;
/** Longest properties of a post, as JSON, and how deep they may be nested. */
export const POST_PROPS_MAX = 65_535;
export const POST_PROPS_DEPTH_MAX = 10;
/** Longest compliance access, in hours, and its longest reason. */
export const COMPLIANCE_HOURS_MAX = 24;
export const COMPLIANCE_REASON_MAX = 500;
/** Longest reason for an export of a user's data. */
export const EXPORT_REASON_MAX = 500;
/** Days for which the export of a user's data can be downloaded. */
export const EXPORT_DAYS = 7;
/** Most provisioning tokens of a team. */
export const SCIM_TOKENS_PER_TEAM = 10;
/** Users or groups in a page of a SCIM list, by default and at most; a larger request gets the maximum. */
export const SCIM_PAGE = 100;
export const SCIM_PAGE_MAX = 200;
/** Largest body of a SCIM call, in bytes: a group of 10,000 members fits. */
export const SCIM_BODY_MAX = 2 * 1024 * 1024;
/** Operations in one SCIM PATCH, and members in one call. */
export const SCIM_OPERATIONS_MAX = 1_000;
export const SCIM_MEMBERS_MAX = 20_000;
/** Longest SCIM filter, and conditions in it. */
export const SCIM_FILTER_MAX = 2_000;
export const SCIM_CONDITIONS_MAX = 20;
/** SCIM calls of one team within a minute, in each process; more are refused with 429. */
export const SCIM_CALLS_PER_MINUTE = 3_000;
/** Days for which calls of an identity provider are logged, and the longest logged body, in characters. */
export const SCIM_LOG_DAYS = 30;
export const SCIM_LOG_REQUEST_MAX = 8_000;
/** Seconds for which a bridge has a connection to itself unless it extends its lease. */
export const LEASE_SECONDS = 60;
/** Users, channels or messages in one call of a bridge. */
export const CONNECTOR_PAGE_MAX = 1_000;
/** Channels to read in one response to a bridge. */
export const CONNECTOR_CHANNELS_PAGE = 200;
/** Longest time in seconds for which a bridge waits for work. */
export const CONNECTOR_WAIT_MAX = 25;
/** Messages of one permit, and the seconds in which it must be begun. */
export const PERMIT_ROWS_MAX = 400;
export const PERMIT_SECONDS = 120;
/** Attempts after which a permit that was begun ends, over at least so many minutes. */
export const PERMIT_ATTEMPTS = 5;
export const PERMIT_MINUTES = 10;
/** A permit that was begun also ends after it was given so often, over at least so many minutes, and never attempted completely. */
export const PERMIT_GIVEN_MAX = 50;
export const PERMIT_GIVEN_MINUTES = 60;
/** A channel whose complete list takes longer is only read, in seconds. */
export const CHANNEL_SWEEP_SECONDS = 3_600;
/** Most messages that one order names; the next order names the rest. */
export const ORDER_ROWS_MAX = 250_000;
/** Days for which the messages of an order, and work at a connected server, stay listed. */
export const ORDER_ROWS_DAYS = 30;
/** Users at a connected server in one call. */
export const CONNECTED_USERS_MAX = 100;
