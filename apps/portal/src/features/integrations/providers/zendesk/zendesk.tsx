import { PLACEHOLDERS } from '@steward/contract/integrations/placeholders';
import type { Provider } from '../provider.ts';
import { type SignIn, SignInDialog, SignInForm } from '../sign-in-form.tsx';
import { CredentialFields } from './credential-fields.tsx';
import {
  type CredentialValues,
  getFormValues,
  toCredentialErrors,
  toRequestBody,
  validateCredentials,
} from './credentials.form.ts';

const SIGN_IN: SignIn<CredentialValues> = {
  service: 'Zendesk',
  Fields: CredentialFields,
  getFormValues,
  toRequestBody,
  validate: validateCredentials,
  toErrors: toCredentialErrors,
};

export const ZENDESK: Provider = {
  code: 'zendesk',
  describe: (teamName) => `Connect ${teamName} to your help desk. Then choose which tickets are posted, and where.`,
  ConnectForm: (props) => <SignInForm {...props} signIn={SIGN_IN} />,
  UpdateDialog: (props) => <SignInDialog {...props} signIn={SIGN_IN} />,
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
