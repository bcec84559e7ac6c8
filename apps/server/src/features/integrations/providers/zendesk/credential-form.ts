import type { CredentialForm } from '@steward/contract/integrations';

/** The fields for each way to sign in to Zendesk. */
export const ZENDESK_FORM: CredentialForm = {
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
