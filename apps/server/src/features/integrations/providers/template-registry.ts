import type { Templates } from './provider.ts';
import { SENDERS } from './webhook/senders/senders.ts';
import { createWebhookTemplates } from './webhook/template.ts';
import { ZENDESK_TEMPLATES } from './zendesk/template/template.ts';

/** The templates of each provider by its code. They are apart from PROVIDERS, so that a thread loads no clients. */
export const TEMPLATES: Readonly<Record<string, Templates>> = {
  zendesk: ZENDESK_TEMPLATES,
  ...Object.fromEntries(SENDERS.map(({ code, sample }) => [code, createWebhookTemplates(sample)])),
};
