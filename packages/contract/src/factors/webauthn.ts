import { z } from 'zod';

/** Base64url without padding. */
const base64Url = (maxLength: number) =>
  z
    .string()
    .min(1, 'is required')
    .max(maxLength, 'is too long')
    .regex(/^[A-Za-z0-9_-]+$/, 'is not base64url');

const credential = {
  id: base64Url(1_400),
  rawId: base64Url(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
};

/** `RegistrationResponseJSON` of WebAuthn. Other fields are ignored. */
export const RegistrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64Url(4_000),
    attestationObject: base64Url(10_000),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
});
export type RegistrationResponse = z.infer<typeof RegistrationResponse>;

/** `AuthenticationResponseJSON` of WebAuthn. Other fields are ignored. */
export const AuthenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64Url(4_000),
    authenticatorData: base64Url(4_000),
    signature: base64Url(8_000),
    userHandle: base64Url(200).optional(),
  }),
});
export type AuthenticationResponse = z.infer<typeof AuthenticationResponse>;

export const WebAuthnOptions = z.object({ options: z.record(z.string(), z.unknown()) });
