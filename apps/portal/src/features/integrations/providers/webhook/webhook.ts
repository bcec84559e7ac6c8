import type { Provider } from '../provider.ts';
import { ConnectForm, UpdateDialog } from './webhook-form.tsx';

/** Any service that sends JSON can be connected. An admin sets it up there, so it has no account and no events to choose from. */
export const WEBHOOK: Provider = {
  code: 'webhook',
  describe: (teamName) => `Post messages to ${teamName} from any service that sends JSON.`,
  ConnectForm,
  UpdateDialog,
  getAccount: () => undefined,
  describeRemoval: () => undefined,
  hasTicketEvents: false,
  template: { label: 'Message template', example: '{{ title }}', meaning: 'value of that key in the JSON' },
  placeholders: [],
  preview: {
    description: 'How the message will look, using the last payload received.',
    payload: 'Payload',
  },
};
