import type { CredentialForm } from '@steward/contract/integrations';

/** The secret is generated, so the form only asks how requests are authenticated. */
export const WEBHOOK_FORM: CredentialForm = {
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
