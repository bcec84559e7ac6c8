import type { CredentialForm } from '@steward/contract/integrations';
import type { Provider } from '../provider.ts';
import { changesLogin } from './client/login.ts';
import { reconcileZendesk } from './lifecycle/reconcile.actions.ts';
import { openSession, verifySession } from './lifecycle/session.ts';
import { removeBeforeDisconnect } from './lifecycle/vendor-resources.actions.ts';
import { createZendeskReceiver, testConnection } from './receive/receive.ts';
import { DEFAULT_TEMPLATE, toMessage } from './template/message.ts';

/** The fields for each way to sign in to Zendesk. */
const ZENDESK_FORM: CredentialForm = {
  fields: [{ name: 'domain', label: 'Domain', hint: '', type: 'text', suffix: '.zendesk.com', required: true }],
  kinds: [
    {
      authentication: 3,
      label: 'OAuth client',
      hint: 'Recommended. Not affected when Zendesk retires API tokens.',
      fields: [
        { name: 'client_id', label: 'Client ID', hint: '', type: 'text', suffix: '', required: true },
        { name: 'client_secret', label: 'Client secret', hint: '', type: 'password', suffix: '', required: true },
      ],
    },
    {
      authentication: 2,
      label: 'API Token',
      hint: '',
      fields: [
        { name: 'username', label: 'Email', hint: '', type: 'email', suffix: '', required: true },
        { name: 'token', label: 'API Token', hint: '', type: 'secret_text', suffix: '', required: true },
      ],
    },
    {
      authentication: 1,
      label: 'Password',
      hint: '',
      fields: [
        { name: 'username', label: 'Email', hint: '', type: 'email', suffix: '', required: true },
        { name: 'password', label: 'Password', hint: '', type: 'password', suffix: '', required: true },
      ],
    },
  ],
};

/**
 * Zendesk: we sign in as an admin of the account and create a webhook, and one trigger per event.
 * Inner folders import one way: receive, lifecycle → client. template imports neither.
 */
export const ZENDESK: Provider = {
  code: 'zendesk',
  name: 'Zendesk',
  credentialForm: ZENDESK_FORM,
  hasEvents: true,
  isSetUpByHand: false,
  defaultTemplate: DEFAULT_TEMPLATE,
  verify: verifySession,
  open: openSession,
  changesCredentials: changesLogin,
  getVerifications: () => ({ verification: null, verifications: [] }),
  disconnect: removeBeforeDisconnect,
  reconcile: reconcileZendesk,
  testConnection,
  createReceiver: createZendeskReceiver,
  toMessage,
};
