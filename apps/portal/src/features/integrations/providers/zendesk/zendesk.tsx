import { PLACEHOLDERS } from '@steward/contract/integrations/placeholders';
import type { Provider } from '../provider.ts';
import { ConnectForm, UpdateDialog } from './credentials.tsx';

export const ZENDESK: Provider = {
  code: 'zendesk',
  describe: (teamName) => `Connect ${teamName} to your help desk. Then choose which tickets are posted, and where.`,
  ConnectForm,
  UpdateDialog,
  getAccount: (detail) => (detail?.domain ? `${detail.domain}.zendesk.com` : undefined),
  describeRemoval: (detail) =>
    detail?.domain && (
      <>
        Tickets from <strong>{detail.domain}.zendesk.com</strong> will no longer be posted. The webhook and triggers in{' '}
        {detail.name} will be removed, and the saved credentials and channels deleted.
      </>
    ),
  hasTicketEvents: true,
  template: { label: 'JSON body', example: '{{ticket.title}}', meaning: "ticket's title" },
  placeholders: PLACEHOLDERS,
  preview: {
    description: 'How the message will look, using a sample ticket.',
    payload: 'JSON sent by Zendesk',
  },
};
