import { z } from 'zod';
import { createIdempotently } from './webhooks.client.ts';
import { ask, requestOptional, tell, type Zendesk } from './zendesk.client.ts';

const TriggerId = z.union([z.int().positive().transform(String), z.string().regex(/^\d{1,30}$/)]);
/** A condition or an action; those of others come in forms that we do not know. */
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

/** What a trigger of ours does: at every creation or every change of a ticket, it has a webhook send a template. */
export interface TriggerPlan {
  title: string;
  event: 'Create' | 'Change';
  webhookId: string;
  message: string;
}

/** Makes the trigger and answers its id; the same care as with webhooks. */
export async function createTrigger(zendesk: Zendesk, plan: TriggerPlan): Promise<string> {
  const body = { trigger: { ...whole(plan), active: true } };
  const create = async () =>
    (await ask(zendesk, { method: 'POST', path: `${PATH}.json`, body, about: 'trigger' }, OneTrigger)).trigger.id;
  return createIdempotently(zendesk, create, () => findLostTrigger(zendesk, plan));
}

/**
 * A trigger of ours whose id was lost because the answer, or the server, died: it has our title, our webhook and our event.
 * Whatever else somebody made with our webhook is theirs.
 */
export async function findLostTrigger(zendesk: Zendesk, plan: TriggerPlan): Promise<string | undefined> {
  const path = `${PATH}/search.json?per_page=10&query=${encodeURIComponent(plan.title)}`;
  const { triggers } = await ask(zendesk, { method: 'GET', path }, Triggers);
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

/** Makes a trigger what it shall be; false where it is gone. `active` is left as it is unless it is given. */
export async function saveTrigger(
  zendesk: Zendesk,
  id: string,
  { active, ...plan }: TriggerPlan & { active?: boolean },
): Promise<boolean> {
  const body = { trigger: { ...whole(plan), ...(active !== undefined && { active }) } };
  const asked = { method: 'PUT', path: `${PATH}/${id}.json`, body, about: 'trigger' } as const;
  return (await requestOptional(zendesk, asked, OneTrigger)) !== undefined;
}

export async function deleteTrigger(zendesk: Zendesk, id: string): Promise<void> {
  await tell(zendesk, { method: 'DELETE', path: `${PATH}/${id}.json` });
}

/** Conditions and actions together: sending one of them alone would empty the other. */
function whole({ title, event, webhookId, message }: TriggerPlan) {
  return {
    title,
    conditions: { all: [{ field: 'update_type', operator: 'is', value: event }], any: [] },
    actions: [{ field: 'notification_webhook', value: [webhookId, message] }],
  };
}

/** What a trigger sends by which webhook; undefined where it has no such action, or one of a form that we do not know. */
export function getTriggerTarget({ actions }: Trigger): { webhookId: string; message: string } | undefined {
  const value = actions?.find(({ field }) => field === 'notification_webhook')?.value;
  const [webhookId, message] = Array.isArray(value) ? (value as unknown[]) : [];
  return typeof webhookId === 'string' && typeof message === 'string' ? { webhookId, message } : undefined;
}

/** Whether a trigger runs at this event. */
export function matchesEvent({ conditions }: Trigger, event: TriggerPlan['event']): boolean {
  return (conditions?.all ?? []).some(({ field, value }) => field === 'update_type' && value === event);
}
