import type { Templates } from './provider.ts';
import { WEBHOOK_TEMPLATES } from './webhook/template.ts';
import { ZENDESK_TEMPLATES } from './zendesk/template/template.ts';

/** The templates of each provider by its code. They are apart from PROVIDERS, so that a thread loads no clients. */
export const TEMPLATES: Readonly<Record<string, Templates>> = {
  zendesk: ZENDESK_TEMPLATES,
  webhook: WEBHOOK_TEMPLATES,
};
