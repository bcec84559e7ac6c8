import {
  getIntegration,
  type Integration,
  type IntegrationDetail,
  listIntegrations,
  previewTemplate,
} from '@steward/contract/integrations';
import { listDeliveries } from '@steward/contract/integrations/deliveries';
import { answer } from './fake-server.ts';

export const ZENDESK: Integration = {
  id: 'zendesk'.padEnd(26, '0'),
  code: 'zendesk',
  name: 'Zendesk',
  enabled: false,
  health: 'off',
  warnings: [],
  last_delivery_at: null,
  last_error: '',
  last_error_at: null,
  refused_count: 0,
  refused_reason: '',
  refused_at: null,
};

export const CONNECTED: IntegrationDetail = {
  ...ZENDESK,
  integration: ZENDESK.id,
  enabled: true,
  health: 'ok',
  credential_form: { fields: [], kinds: [] },
  has_events: true,
  hook_url: '',
  verification: null,
  verifications: [],
  domain: 'acme',
  username: 'ada@acme.example',
  authentication: 2,
  ticket_created: true,
  ticket_updated: false,
  message: '',
  channel_details: [],
};

/** The team has one integration, Zendesk. Without fields it isn't connected. */
export function answerIntegration(fields?: Partial<IntegrationDetail>): void {
  const detail = fields === undefined ? { ...CONNECTED, ...ZENDESK, domain: '', username: '' } : CONNECTED;
  answer(getIntegration, { ...detail, ...fields });
  answer(listIntegrations, { records: [{ ...ZENDESK, enabled: detail.enabled, health: detail.health }] });
  answer(listDeliveries, { records: [], last_key: null });
  answer(previewTemplate, { json: '', text: '', problems: [] });
}
