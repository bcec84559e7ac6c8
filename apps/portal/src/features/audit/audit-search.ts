import { isId } from '@steward/contract/api/fields';
import { parseAuditActions } from '@steward/contract/audit/catalog';
import { getStartOfDay, toPeriod } from '#platform/time/days.ts';

/** A filter that is off is absent, so that each list has one address. Dates are in the viewer's time zone. */
export interface AuditSearch {
  /** 'none' means the system and services; other values are ids of users. */
  actor?: string;
  /** Actions and areas are comma-separated. */
  action?: string;
  /** This is the id of the changed record. */
  target?: string;
  /** The first and last date are inclusive and look like 2026-03-02. */
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

/** The parameters may have been typed by hand, so invalid ones are ignored. */
export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const read: AuditSearch = {};
  for (const name of Object.keys(PARAM_VALIDATORS) as AuditFilter[]) {
    const text = raw[name];
    if (typeof text === 'string' && PARAM_VALIDATORS[name](text)) read[name] = text;
  }
  return read;
}

/** An empty value removes the filter. */
export function withFilter(current: AuditSearch, name: AuditFilter, value: string): AuditSearch {
  return readAuditSearch({ ...current, [name]: value });
}

export function auditQuery({ from, to, ...search }: AuditSearch): Record<string, string> {
  return { ...search, ...toPeriod({ from, to }) };
}
