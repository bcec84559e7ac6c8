import type { Verification, VerificationChoice } from '@steward/contract/integrations/verification';
import type { Payload } from '../payload.ts';

/** A request, as templates see it: the headers of the log, and the parsed body. */
export interface Sample {
  headers: Record<string, string>;
  payload: Payload;
}

/** A service that calls webhooks. Everything specific to it is data. */
export interface Sender {
  /** Identifies it in ids, rows and URLs; never changes. */
  code: string;
  name: string;
  /** The ways to verify its requests, the preferred one first. Methods are different. */
  verifications: readonly VerificationChoice[];
  /** Headers with its id of an event, which is the same for each attempt; the first one counts. */
  eventIds: readonly string[];
  /** Header with an id that several events share; together with the body it identifies one. */
  chainId?: string;
  defaultTemplate: string;
  /** Used in place of the last request until there is one. */
  sample: Sample;
}

/** A verification by this method. Unless it says otherwise, a signature covers the body only. */
export function verifiedBy(method: Verification['method'], settings: Partial<Verification> = {}): Verification {
  return { method, header: '', prefix: '', timestamp_header: '', separator: '.', tolerance: 300, ...settings };
}
