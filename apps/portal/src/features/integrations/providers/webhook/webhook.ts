import type { Provider } from '../provider.ts';
import { SENDERS } from './senders.ts';
import { ConnectForm, UpdateDialog } from './webhook-form.tsx';

/** An admin sets up the service there, so it has no account and no events to choose from. */
export const WEBHOOKS: readonly Provider[] = SENDERS.map(({ code, what }) => ({
  code,
  describe: (teamName) => `Post ${what} to channels of ${teamName}.`,
  ConnectForm,
  UpdateDialog,
  getAccount: () => undefined,
  describeRemoval: () => undefined,
  hasTicketEvents: false,
  template: { label: 'Message template', example: '{{ title }}', meaning: 'value of that key in the JSON' },
  placeholders: [],
  preview: {
    description: 'The text of the message for the last payload received, or for a sample. Clients format its Markdown.',
    payload: 'Payload',
  },
}));
