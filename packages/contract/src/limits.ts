/** Status of the signed-in person is asked for this often (spec §9). */
export const STATUS_POLL_MS = 30_000;
/** A search runs this long after the last key (spec §9). */
export const SEARCH_IDLE_MS = 1_000;
/** An alert closes by itself after this time (spec §9). */
export const ALERT_MS = 4_000;
/** The page reloads this long after another team was chosen (spec §9). */
export const SWITCH_TEAM_RELOAD_MS = 100;
/** The next page loads when this many rows are left below (spec §9). */
export const LIST_THRESHOLD_ROWS = 4;

/** Rows in one page of a list. */
export const PAGE_ROWS = 100;
/** Most rows a caller may ask for in one page; exports use it. */
export const PAGE_ROWS_MAX = 2_000;
/** Most ids in one status call. */
export const STATUS_IDS_MAX = 100;
/** Most live sessions of one person; the oldest ends when one more begins. */
export const SESSIONS_PER_PERSON = 20;

/** Shortest password accepted. */
export const PASSWORD_MIN = 8;
/** Longest password accepted; anything longer is refused before it is hashed. */
export const PASSWORD_MAX = 128;
/** Longest first or last name. */
export const NAME_MAX = 100;
/** Longest email address (RFC 5321 path less its brackets). */
export const EMAIL_MAX = 254;
/** Longest search text. */
export const SEARCH_MAX = 200;
