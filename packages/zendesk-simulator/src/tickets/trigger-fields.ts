import type { Account, Action, Condition, Trigger } from '../model.ts';
import { isRecord } from '../responses.ts';
import { FOR_TRIGGERS } from '../webhooks/webhook-fields.ts';
import { wrongCondition } from './conditions.ts';

export type TriggerFields = Pick<
  Trigger,
  'raw_title' | 'description' | 'active' | 'category_id' | 'conditions' | 'actions'
> & { position?: number };

export type Details = Record<string, { description: string; error?: string }[]>;

const RULE_BYTES = 65 * 1024;
const TITLE_CHARACTERS = 255;
const PERMITTED = ['title', 'description', 'active', 'position', 'category_id', 'conditions', 'actions', 'all', 'any'];
const ACTIONS = [
  'status',
  'priority',
  'type',
  'group_id',
  'assignee_id',
  'set_tags',
  'current_tags',
  'remove_tags',
  'notification_user',
  'notification_group',
  'notification_target',
  'notification_webhook',
];

/** Merges fields into a trigger: missing scalars stay, but any condition or action replaces all of both. */
export function mergedTrigger(sent: Record<string, unknown>, before: TriggerFields): TriggerFields {
  const nested = isRecord(sent.conditions) ? sent.conditions : {};
  const all = nested.all ?? sent.all;
  const any = nested.any ?? sent.any;
  const replaces = all !== undefined || any !== undefined || sent.actions !== undefined;
  return {
    raw_title: text(sent.title) ?? before.raw_title,
    description: sent.description === undefined ? before.description : (text(sent.description) ?? null),
    active: typeof sent.active === 'boolean' ? sent.active : before.active,
    category_id: sent.category_id === undefined ? before.category_id : String(sent.category_id),
    conditions: replaces ? { all: listOf<Condition>(all), any: listOf<Condition>(any) } : before.conditions,
    actions: replaces ? listOf<Action>(sent.actions) : before.actions,
    ...(typeof sent.position === 'number' && { position: sent.position }),
  };
}

export function wrongTrigger(account: Account, trigger: TriggerFields): Details {
  const details: Details = {};
  const say = (field: string, description: string, error?: string) => {
    details[field] = [...(details[field] ?? []), error ? { description, error } : { description }];
  };
  const { raw_title, conditions, actions } = trigger;
  if (raw_title.trim() === '') say('title', 'Title: cannot be blank', 'BlankValue');
  if (raw_title.length > TITLE_CHARACTERS)
    say('title', `Title: is longer than ${TITLE_CHARACTERS} characters`, 'TooLong');
  const all = [...conditions.all, ...conditions.any];
  if (all.length === 0) say('base', 'A trigger needs at least one condition');
  for (const condition of all) {
    const wrong = isRecord(condition) ? wrongCondition(condition) : 'A condition is an object';
    if (wrong) say('base', wrong);
  }
  if (actions.length === 0) say('actions', 'Actions: cannot be blank', 'BlankValue');
  for (const action of actions) {
    const wrong = wrongAction(account, action);
    if (wrong) say('base', wrong);
  }
  if (Buffer.byteLength(JSON.stringify({ conditions, actions })) > RULE_BYTES) {
    say('base', 'The rule is larger than 65 KB');
  }
  if (!account.categories.some(({ id }) => id === trigger.category_id)) {
    say('category_id', 'Category: is invalid', 'InvalidValue');
  }
  return details;
}

function wrongAction({ webhooks }: Account, action: Action): string | undefined {
  if (!isRecord(action)) return 'An action is an object';
  const { field, value } = action;
  if (!ACTIONS.includes(field) && !/^custom_fields_\d+$/.test(field)) return `Action field '${field}' is not known`;
  if (field !== 'notification_webhook') return undefined;
  if (!Array.isArray(value) || value.length !== 2 || !value.every((each) => typeof each === 'string')) {
    return 'The value of notification_webhook must be the webhook and the body, two texts';
  }
  const webhook = webhooks.find(({ id }) => id === value[0]);
  if (!webhook) return `Invalid value '${value[0]}' in 'notification_webhook'`;
  if (!webhook.subscriptions?.includes(FOR_TRIGGERS)) return `Webhook '${value[0]}' cannot be used by triggers`;
  return undefined;
}

/** The header in which Zendesk lists ignored keys. */
export function warningFor(action: 'create' | 'update', sent: Record<string, unknown>): Record<string, string> {
  const ignored = Object.keys(sent).filter((key) => !PERMITTED.includes(key));
  if (ignored.length === 0) return {};
  const keys = ignored.map((key) => `"trigger.${key}"`).join(', ');
  const warning =
    `{:allowed_parameters=>{:controller=>"triggers", :action=>"${action}", ` +
    `:unpermitted_keys=>[${keys}], :invalid_values=>[]}}`;
  // Header values are Latin-1; a key may contain anything.
  return { 'x-zendesk-api-warn': warning.replace(/[^\x20-\x7e]/g, '?') };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? value : [];
}
