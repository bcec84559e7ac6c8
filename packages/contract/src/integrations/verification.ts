import { z } from 'zod';
import { text } from '../api/fields.ts';

/**
 * The way in which the sender of an incoming webhook proves who it is: `bearer` sends the secret as `Authorization: Bearer …`,
 * `token` in a header of its own, `hmac` an HMAC-SHA256 of the body, and `standard` the headers of standardwebhooks.com. Fields
 * that a method doesn't use are ignored.
 */
export const Verification = z.object({
  method: z.enum(['bearer', 'token', 'hmac', 'standard']),
  /** Header with the token or the signature. */
  header: text(100),
  /** A text that may come before the signature, such as `sha256=`. The signature itself is in hex or base64. */
  prefix: text(20),
  /** Header with the time in seconds, which is signed before the body; '' for none. */
  timestamp_header: text(100),
  /** Between the time and the body in the signed text. */
  separator: z.enum(['.', ':', '']),
  /** Seconds that the signed time may differ from now. */
  tolerance: z.int().min(10).max(3_600),
});
export type Verification = z.infer<typeof Verification>;

/** A way in which the sender can prove who it is. */
export const VerificationChoice = z.object({
  label: z.string(),
  hint: z.string(),
  /** The side that generates the secret. */
  secret_from: z.enum(['server', 'sender', 'either']),
  /** The fields of `verification` that an admin may change. */
  fields: z.array(Verification.keyof()),
  verification: Verification,
});
export type VerificationChoice = z.infer<typeof VerificationChoice>;
