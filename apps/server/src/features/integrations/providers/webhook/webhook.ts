import type { Provider } from '../provider.ts';
import { createWebhookReceiver } from './receive.actions.ts';
import type { Sender } from './senders/sender.ts';
import { SENDERS } from './senders/senders.ts';
import { getVerification, openSession, verifySession } from './session.ts';

/**
 * Incoming webhooks, one provider for each sender. We generate a URL that an admin enters at the service, and a Liquid template
 * turns the JSON into the message. Nothing is created at the service, so there is nothing to remove.
 */
export const WEBHOOKS: readonly Provider[] = SENDERS.map(toProvider);

function toProvider(sender: Sender): Provider {
  return {
    code: sender.code,
    name: sender.name,
    credentialForm: { fields: [], kinds: [] },
    hasEvents: false,
    isSetUpByHand: true,
    defaultTemplate: sender.defaultTemplate,
    verify: (deps, form, row) => verifySession(deps, sender, { form, row }),
    open: (deps, row) => openSession(deps, sender, row),
    changesCredentials: ({ verification, secret, rotate_secret }) =>
      verification !== undefined || (secret ?? '') !== '' || rotate_secret === true,
    getVerifications: (deps, row) => ({
      verification: getVerification(deps, sender, row),
      verifications: [...sender.verifications],
    }),
    disconnect: async () => [],
    reconcile: async () => undefined,
    testConnection: async () => '',
    createReceiver: (deps) => createWebhookReceiver(deps, sender),
  };
}
