import type { ErrorId } from '@steward/contract/api/errors';
import { Refusal } from '#platform/http/errors.ts';

/** Kinds of failure: who can fix it, and whether it makes sense to retry later. */
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

/** A failed call to Zendesk, with a message for the admin. If uncaught, it refuses the admin's request. */
export class VendorFailure extends Refusal {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, text: string) {
    super(IDS[kind] ?? 'helpdesk.refused', text);
    this.kind = kind;
  }
}

/** Without kinds, every Zendesk failure counts. */
export function isFailure(error: unknown): error is VendorFailure;
export function isFailure(error: unknown, ...kinds: readonly FailureKind[]): boolean;
export function isFailure(error: unknown, ...kinds: readonly FailureKind[]): boolean {
  return error instanceof VendorFailure && (kinds.length === 0 || kinds.includes(error.kind));
}

/** The content of an error response, in any of Zendesk's formats; empty if there is none. */
export interface VendorError {
  /** Machine-readable code, such as `RecordInvalid`. */
  code: string;
  title: string;
  /** Validation errors of a record, each a sentence. */
  details: string[];
  isJson: boolean;
}

const LONGEST = 300;

/** Parses an error response: JSON in several formats, HTML, or plain text. */
export function parseVendorError(body: string): VendorError {
  const json = parsed(body);
  if (json === undefined) {
    const title = /<title[^>]*>([^<]{1,1000})/i.exec(body)?.[1] ?? '';
    return { code: '', title: clean(title), details: [], isJson: false };
  }
  const { error, errors, description, error_description, details } = record(json);
  const first = record(Array.isArray(errors) ? errors[0] : undefined);
  const nested = record(error);
  const code = typeof error === 'string' ? error : text(first.code);
  const title =
    text(nested.title) || text(first.title) || text(description) || text(error_description) || text(nested.message);
  return { code, title: clean(title || code), details: detailsIn(details), isJson: true };
}

/** The descriptions of all fields, whatever the fields are called. */
function detailsIn(details: unknown): string[] {
  const all = Object.values(record(details)).flatMap((problems) => (Array.isArray(problems) ? problems : []));
  return all.map((problem) => clean(text(record(problem).description))).filter((line) => line !== '');
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

/** Untrusted text, shortened to one line. */
function clean(words: string): string {
  const line = words
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
