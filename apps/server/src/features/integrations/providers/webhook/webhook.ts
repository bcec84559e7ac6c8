import type { Provider } from '../provider.ts';
import { WEBHOOK_FORM } from './credential-form.ts';
import { createWebhookReceiver } from './receive.actions.ts';
import { getSignatureHeader, openSession, verifySession } from './session.ts';

/**
 * Incoming webhook: any service that posts JSON. We generate a URL and a secret, an admin enters both at the service, and a
 * Liquid template turns the JSON into the message. Nothing is created at the service, so there is nothing to remove.
 */
export const WEBHOOK: Provider = {
  code: 'webhook',
  name: 'Incoming webhook',
  credentialForm: WEBHOOK_FORM,
  hasEvents: false,
  isSetUpByHand: true,
  defaultTemplate: '{{ title }}\n{{ url }}',
  verify: verifySession,
  open: openSession,
  changesCredentials: ({ signature_header, rotate_secret }) => signature_header !== undefined || rotate_secret === true,
  getSettings: (deps, row) => ({ signature_header: getSignatureHeader(deps, row) }),
  disconnect: async () => [],
  reconcile: async () => undefined,
  testConnection: async () => '',
  createReceiver: createWebhookReceiver,
};
