import { parseAuditActions } from '@steward/contract/audit/catalogue';

/** What the address bar holds: a filter that is off is absent, so that one list has one address. Days are of the person's zone. */
export interface AuditSearch {
  /** Id of a person, or 'none'. */
  actor?: string;
  /** Actions or rooms, with commas between. */
  action?: string;
  /** Id of what it was done to. */
  target?: string;
  /** First and last day, as in 2026-03-02. */
  from?: string;
  to?: string;
}
export type AuditFilter = keyof AuditSearch;

const ID = /^[a-z0-9]{26}$/;
const DAY = /^(2\d{3})-(\d{2})-(\d{2})$/;

const PARAM_VALIDATORS: Record<AuditFilter, (text: string) => boolean> = {
  actor: (text) => text === 'none' || ID.test(text),
  action: (text) => parseAuditActions(text) !== undefined,
  target: (text) => ID.test(text),
  from: (text) => getStartOfDay(text) !== undefined,
  to: (text) => getStartOfDay(text) !== undefined,
};

/** Reads an address that anybody may have typed: what makes no sense is left out, never refused. */
export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const read: AuditSearch = {};
  for (const name of Object.keys(PARAM_VALIDATORS) as AuditFilter[]) {
    const text = raw[name];
    if (typeof text === 'string' && PARAM_VALIDATORS[name](text)) read[name] = text;
  }
  return read;
}

/** The filters with one of them set; '' takes it away. */
export function withFilter(current: AuditSearch, name: AuditFilter, value: string): AuditSearch {
  return readAuditSearch({ ...current, [name]: value });
}

/** Midnight at which a day begins, and the next one; undefined where there is no such day. */
function getStartOfDay(day: string, later = 0): Date | undefined {
  const [, year, month, date] = (DAY.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  // A day may have 23 or 25 hours: the calendar is asked, not added to.
  const isDay = new Date(year, month - 1, date).getDate() === date;
  return isDay && month >= 1 && month <= 12 ? new Date(year, month - 1, date + later) : undefined;
}

/** The same as the query of the call. */
export function auditQuery({ from, to, ...search }: AuditSearch): Record<string, string> {
  const since = from === undefined ? undefined : getStartOfDay(from);
  const until = to === undefined ? undefined : getStartOfDay(to, 1);
  return {
    ...search,
    ...(since && { from: String(since.getTime()) }),
    ...(until && { to: String(until.getTime()) }),
  };
}
