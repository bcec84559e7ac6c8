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

/** Longest name of a directory entry. */
export const ENTRY_NAME_MAX = 200;
/** Longest phone or SMS number of a directory entry; free text, such as "+49 30 1234, ext. 12". */
export const ENTRY_NUMBER_MAX = 100;
/** Most entries in one call that adds or changes all of them or none. */
export const ENTRIES_PER_CALL_MAX = 1_000;
/** Most rows in one call of an upload. */
export const ENTRIES_PER_UPLOAD_MAX = 5_000;
/** Largest body of such a call, in bytes: 5,000 rows of plain letters at their longest fit. */
export const UPLOAD_BODY_MAX = 4 * 1024 * 1024;
/** Longest name of an uploaded file that is kept. */
export const FILE_NAME_MAX = 255;
/** An import can be undone for so many days. */
export const UNDO_DAYS = 30;
