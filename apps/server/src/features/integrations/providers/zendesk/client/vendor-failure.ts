import type { ErrorId } from '@steward/contract/api/errors';
import { Refusal } from '#platform/http/errors.ts';

/** What a failure of the vendor means for who works on: whom to ask, and whether trying again later makes sense. */
export type FailureKind =
  | 'credentials'
  | 'forbidden'
  | 'not_offered'
  | 'no_account'
  | 'gone'
  | 'invalid'
  | 'limited'
  | 'unreachable'
  | 'refused';

const IDS: Partial<Record<FailureKind, ErrorId>> = {
  limited: 'helpdesk.limited',
  unreachable: 'helpdesk.unreachable',
};

/** A call that the vendor did not do, in words for an admin. Uncaught, it is the refusal of the admin's own call. */
export class VendorFailure extends Refusal {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, text: string) {
    super(IDS[kind] ?? 'helpdesk.refused', text);
    this.kind = kind;
  }
}

/** Whether the vendor failed, in one of these ways where some are named. */
export function isFailure(error: unknown): error is VendorFailure;
export function isFailure(error: unknown, ...kinds: readonly FailureKind[]): boolean;
export function isFailure(error: unknown, ...kinds: readonly FailureKind[]): boolean {
  return error instanceof VendorFailure && (kinds.length === 0 || kinds.includes(error.kind));
}

/** What an error body says, whichever of the vendor's envelopes it came in; empty where there is none. */
export interface VendorError {
  /** A word for programs, such as `RecordInvalid`. */
  code: string;
  title: string;
  /** What is wrong with a record, each a sentence. */
  details: string[];
  isJson: boolean;
}

const LONGEST = 300;

/** Reads an error body; it comes as JSON of several forms, as a page, or as plain text. */
export function parseVendorError(body: string): VendorError {
  const said = parsed(body);
  if (said === undefined) {
    const title = /<title[^>]*>([^<]{1,1000})/i.exec(body)?.[1] ?? '';
    return { code: '', title: clean(title), details: [], isJson: false };
  }
  const { error, errors, description, error_description, details } = record(said);
  const first = record(Array.isArray(errors) ? errors[0] : undefined);
  const nested = record(error);
  const code = typeof error === 'string' ? error : text(first.code);
  const title =
    text(nested.title) || text(first.title) || text(description) || text(error_description) || text(nested.message);
  return { code, title: clean(title || code), details: detailsIn(details), isJson: true };
}

/** Every description below every field: which field it is depends on the record. */
function detailsIn(details: unknown): string[] {
  const told = Object.values(record(details)).flatMap((problems) => (Array.isArray(problems) ? problems : []));
  return told.map((problem) => clean(text(record(problem).description))).filter((line) => line !== '');
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Words of a stranger, fit for one line on our screen. */
function clean(words: string): string {
  const line = words
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
