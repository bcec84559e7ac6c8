import type { Provider } from '../provider.ts';
import { changesLogin } from './client/login.ts';
import { ZENDESK_FORM } from './credential-form.ts';
import { reconcileZendesk } from './lifecycle/reconcile.actions.ts';
import { openSession, verifySession } from './lifecycle/session.ts';
import { removeBeforeDisconnect } from './lifecycle/vendor-resources.actions.ts';
import { createZendeskReceiver } from './receive/receive.ts';
import { testConnection } from './receive/test-connection.actions.ts';
import { DEFAULT_TEMPLATE } from './template/default-template.ts';
import { toMessage } from './template/message.ts';

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
  getSettings: () => ({ signature_header: '' }),
  disconnect: removeBeforeDisconnect,
  reconcile: reconcileZendesk,
  testConnection,
  createReceiver: createZendeskReceiver,
  toMessage,
};
