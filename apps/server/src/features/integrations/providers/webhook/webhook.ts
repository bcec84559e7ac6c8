import type { CredentialForm } from '@steward/contract/integrations';
import type { Provider } from '../provider.ts';
import { createWebhookReceiver } from './receive.actions.ts';
import { getSignatureHeader, openSession, verifySession } from './session.ts';

/** The secret is generated, so the form only asks how requests are authenticated. */
const WEBHOOK_FORM: CredentialForm = {
  fields: [
    {
      name: 'signature_header',
      label: 'Signature header',
      hint: 'For services that sign requests with HMAC-SHA256, such as X-Hub-Signature-256 for GitHub. Leave empty if the service sends the secret in an Authorization: Bearer header.',
      type: 'text',
      suffix: '',
      required: false,
    },
  ],
  kinds: [{ authentication: 2, label: 'Generated secret', hint: '', fields: [] }],
};

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
