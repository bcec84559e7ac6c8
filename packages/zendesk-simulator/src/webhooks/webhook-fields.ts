import type { Authentication, Webhook } from '../model.ts';
import { isRecord } from '../responses.ts';

export type WebhookFields = Partial<
  Pick<
    Webhook,
    | 'name'
    | 'endpoint'
    | 'http_method'
    | 'request_format'
    | 'status'
    | 'subscriptions'
    | 'description'
    | 'authentication'
    | 'custom_headers'
  >
>;

export interface Problem {
  code: string;
  title: string;
  detail: string;
}

/** The subscription that triggers require. */
export const FOR_TRIGGERS = 'conditional_ticket_events';
const MANDATORY = ['name', 'endpoint', 'http_method', 'request_format', 'status'];
const CHOICES: Record<string, string[]> = {
  http_method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  request_format: ['json', 'xml', 'form_encoded'],
  status: ['active', 'inactive'],
};

/** Parses the fields of a body; all required ones must be present except in a patch. */
export function readWebhook(body: unknown, { whole }: { whole: boolean }): WebhookFields | Problem[] {
  const sent = isRecord(body) && isRecord(body.webhook) ? body.webhook : undefined;
  if (!sent) return [problem('webhook', 'is missing')];
  const missing = whole ? MANDATORY.filter((name) => sent[name] === undefined || sent[name] === null) : [];
  const problems = [...missing.map((name) => problem(name, 'is required')), ...wrongFields(sent)];
  if (problems.length > 0) return problems;
  const known = [...MANDATORY, 'subscriptions', 'description', 'authentication', 'custom_headers'];
  const given = Object.entries(sent).filter(([name, value]) => known.includes(name) && value !== null);
  const fields = Object.fromEntries(given) as WebhookFields;
  if (fields.authentication) fields.authentication = { ...fields.authentication, add_position: 'header' };
  return fields;
}

function wrongFields(sent: Record<string, unknown>): Problem[] {
  const problems: Problem[] = [];
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = sent[name];
    if (value !== undefined && !choices.includes(String(value))) {
      problems.push(problem(name, `must be one of ${choices.join(', ')}`));
    }
  }
  for (const name of ['name', 'description']) {
    const value = sent[name];
    if (value !== undefined && value !== null && typeof value !== 'string') problems.push(problem(name, 'is no text'));
  }
  if (sent.name === '') problems.push(problem('name', 'is empty'));
  if (sent.endpoint !== undefined && !isWebAddress(sent.endpoint)) {
    problems.push(problem('endpoint', 'must be an http or https address'));
  }
  if (sent.subscriptions !== undefined && !isSubscriptions(sent.subscriptions)) {
    problems.push(problem('subscriptions', 'must be conditional_ticket_events alone, or event types'));
  }
  if (sent.authentication !== undefined && sent.authentication !== null && !isAuthentication(sent.authentication)) {
    problems.push(problem('authentication', 'has a type or data that do not fit'));
  }
  return problems;
}

function problem(name: string, what: string): Problem {
  return { code: 'InvalidParameter', title: `${name} ${what}`, detail: `webhook.${name} ${what}` };
}

export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

function isSubscriptions(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.length === 1 && value[0] === FOR_TRIGGERS
    ? true
    : value.every((each) => typeof each === 'string' && each.startsWith('zen:event-type:'));
}

const DATA: Record<Authentication['type'], string[]> = {
  basic_auth: ['username', 'password'],
  bearer_token: ['token'],
  api_key: ['name', 'value'],
};

function isAuthentication(value: unknown): boolean {
  if (!isRecord(value) || typeof value.type !== 'string' || !isRecord(value.data)) return false;
  const { data } = value;
  return DATA[value.type as Authentication['type']]?.every((name) => typeof data[name] === 'string') ?? false;
}
