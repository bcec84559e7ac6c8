import { isId } from '@steward/contract/api/fields';
import { parseAuditActions } from '@steward/contract/audit/catalog';
import { getStartOfDay, toPeriod } from '#platform/time/days.ts';

/** Search parameters of the page; a filter that is off is absent, so that each list has one address. Dates are in the viewer's time zone. */
export interface AuditSearch {
  /** Id of a person, or 'none' for the system and services. */
  actor?: string;
  /** Comma-separated actions and areas. */
  action?: string;
  /** Id of what it was done to. */
  target?: string;
  /** First and last date, such as 2026-03-02. */
  from?: string;
  to?: string;
}
export type AuditFilter = keyof AuditSearch;

const PARAM_VALIDATORS: Record<AuditFilter, (text: string) => boolean> = {
  actor: (text) => text === 'none' || isId(text),
  action: (text) => parseAuditActions(text) !== undefined,
  target: isId,
  from: (text) => getStartOfDay(text) !== undefined,
  to: (text) => getStartOfDay(text) !== undefined,
};

/** Reads search parameters that may have been typed by hand: invalid ones are ignored. */
export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const read: AuditSearch = {};
  for (const name of Object.keys(PARAM_VALIDATORS) as AuditFilter[]) {
    const text = raw[name];
    if (typeof text === 'string' && PARAM_VALIDATORS[name](text)) read[name] = text;
  }
  return read;
}

/** The filters with one of them set; '' removes it. */
export function withFilter(current: AuditSearch, name: AuditFilter, value: string): AuditSearch {
  return readAuditSearch({ ...current, [name]: value });
}

/** The filters as the query of the API call. */
export function auditQuery({ from, to, ...search }: AuditSearch): Record<string, string> {
  return { ...search, ...toPeriod({ from, to }) };
}
