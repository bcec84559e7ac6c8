import type { IntegrationDetail } from '@steward/contract/integrations';
import type { Verification, VerificationChoice } from '@steward/contract/integrations/verification';

export interface WebhookValues {
  verification: Verification;
  secret: string;
  isRotated: boolean;
}

/** Undefined while the settings aren't known: then nothing is changed. */
export function getWebhookValues(detail: IntegrationDetail | undefined): WebhookValues | undefined {
  const verification = detail?.verification;
  return verification ? { verification, secret: '', isRotated: false } : undefined;
}

export function findChoice(
  choices: readonly VerificationChoice[],
  method: Verification['method'],
): VerificationChoice | undefined {
  return choices.find(({ verification }) => verification.method === method);
}

/** Only a field that is in use is shown. */
export function isShown(field: keyof Verification, { fields }: VerificationChoice, values: Verification): boolean {
  const isTimed = values.method === 'standard' || values.timestamp_header.trim() !== '';
  return fields.includes(field) && (isTimed || (field !== 'separator' && field !== 'tolerance'));
}

export function isWebhookChanged(values: WebhookValues, stored: WebhookValues | undefined): boolean {
  return JSON.stringify(values) !== JSON.stringify(stored);
}

export function toWebhookBody({ verification, secret, isRotated }: WebhookValues) {
  return {
    verification,
    ...(secret.trim() !== '' && { secret: secret.trim() }),
    ...(isRotated && { rotate_secret: true }),
  };
}

/** Describes how the service uses the secret. */
export function describeSecret({ method, header, timestamp_header }: Verification): string {
  if (method === 'bearer') return 'Sent as Authorization: Bearer …';
  if (method === 'token') return `Sent in the header ${header}`;
  if (method === 'standard') return 'Signs each request as standardwebhooks.com describes';
  return `Signs each request in the header ${header}${timestamp_header && `, with the time in ${timestamp_header}`}`;
}
