import { z } from 'zod';
import { createIdempotently } from './webhooks.client.ts';
import { requestJson, requestOptional, sendRequest, type Zendesk } from './zendesk.client.ts';

const TriggerId = z.union([z.int().positive().transform(String), z.string().regex(/^\d{1,30}$/)]);
/** A condition or an action. Triggers of others may have values of any type. */
const Part = z.object({ field: z.string().nullish(), value: z.unknown() });
const Trigger = z.object({
  id: TriggerId,
  title: z.string(),
  raw_title: z.string().optional(),
  active: z.boolean(),
  conditions: z.object({ all: z.array(Part).nullish(), any: z.array(Part).nullish() }).nullish(),
  actions: z.array(Part).nullish(),
});
export type Trigger = z.infer<typeof Trigger>;
const OneTrigger = z.object({ trigger: Trigger });
const Triggers = z.object({ triggers: z.array(Trigger) });

const PATH = '/api/v2/triggers';

/** Defines a trigger of ours: when a ticket is created or changed, a webhook sends the template. */
export interface TriggerPlan {
  title: string;
  event: 'Create' | 'Change';
  webhookId: string;
  message: string;
}

/** Creates the trigger and returns its id, without duplicates, as for webhooks. */
export async function createTrigger(zendesk: Zendesk, plan: TriggerPlan): Promise<string> {
  const body = { trigger: { ...toTriggerBody(plan), active: true } };
  const create = async () =>
    (await requestJson(zendesk, { method: 'POST', path: `${PATH}.json`, body, about: 'trigger' }, OneTrigger)).trigger
      .id;
  return createIdempotently(zendesk, create, () => findLostTrigger(zendesk, plan));
}

/**
 * Finds a trigger of ours whose id was lost because the response was lost or the server crashed: it has our title, webhook
 * and event. Any other trigger with our webhook isn't ours.
 */
export async function findLostTrigger(zendesk: Zendesk, plan: TriggerPlan): Promise<string | undefined> {
  const path = `${PATH}/search.json?per_page=10&query=${encodeURIComponent(plan.title)}`;
  const { triggers } = await requestJson(zendesk, { method: 'GET', path }, Triggers);
  const lost = triggers.find(
    (trigger) =>
      (trigger.raw_title ?? trigger.title) === plan.title &&
      getTriggerTarget(trigger)?.webhookId === plan.webhookId &&
      matchesEvent(trigger, plan.event),
  );
  return lost?.id;
}

export async function findTrigger(zendesk: Zendesk, id: string): Promise<Trigger | undefined> {
  return (await requestOptional(zendesk, { method: 'GET', path: `${PATH}/${id}.json` }, OneTrigger))?.trigger;
}

/** Updates a trigger; false if it no longer exists. `active` is unchanged unless given. */
export async function saveTrigger(
  zendesk: Zendesk,
  id: string,
  { active, ...plan }: TriggerPlan & { active?: boolean },
): Promise<boolean> {
  const body = { trigger: { ...toTriggerBody(plan), ...(active !== undefined && { active }) } };
  const request = { method: 'PUT', path: `${PATH}/${id}.json`, body, about: 'trigger' } as const;
  return (await requestOptional(zendesk, request, OneTrigger)) !== undefined;
}

export async function deleteTrigger(zendesk: Zendesk, id: string): Promise<void> {
  await sendRequest(zendesk, { method: 'DELETE', path: `${PATH}/${id}.json` });
}

/** Always sends conditions and actions together: sending only one of them would clear the other. */
function toTriggerBody({ title, event, webhookId, message }: TriggerPlan) {
  return {
    title,
    conditions: { all: [{ field: 'update_type', operator: 'is', value: event }], any: [] },
    actions: [{ field: 'notification_webhook', value: [webhookId, message] }],
  };
}

/** The webhook and message of a trigger; undefined if it has no such action, or one in an unknown format. */
export function getTriggerTarget({ actions }: Trigger): { webhookId: string; message: string } | undefined {
  const value = actions?.find(({ field }) => field === 'notification_webhook')?.value;
  const [webhookId, message] = Array.isArray(value) ? (value as unknown[]) : [];
  return typeof webhookId === 'string' && typeof message === 'string' ? { webhookId, message } : undefined;
}

export function matchesEvent({ conditions }: Trigger, event: TriggerPlan['event']): boolean {
  return (conditions?.all ?? []).some(({ field, value }) => field === 'update_type' && value === event);
}
