import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, LastKey, listAnswer, listQuery } from '../api/fields.ts';
import { IntegrationParams } from './integrations.ts';

/** How far a delivery is: stored, in all its channels, in some of them, in none, not to be posted at all. */
export const DeliveryState = z.enum(['waiting', 'posted', 'partly', 'failed', 'ignored']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** What became of a delivery in one channel. */
export const DeliveryChannel = z.object({
  channel_id: Id,
  channel_name: z.string(),
  state: z.enum(['waiting', 'posted', 'failed']),
  post_id: z.string(),
  attempts: z.int(),
  error: z.string(),
});

/** A delivery of the help desk in the log. Instants are milliseconds since 1970. */
export const Delivery = z.object({
  id: Id,
  received_at: z.int(),
  invocation_id: z.string(),
  state: DeliveryState,
  /** What stands in the channels; '' when nothing could be made of the body. */
  text: z.string(),
  /** What to know of it, such as that its JSON had to be repaired; '' for nothing. */
  note: z.string(),
  channels: z.array(DeliveryChannel),
});
export type Delivery = z.infer<typeof Delivery>;

/** Deliveries, newest first. Kept for 30 days. */
export const listDeliveries = endpoint({
  name: 'listDeliveries',
  method: 'GET',
  path: '/admin/teams/:teamId/integrations/:integrationId/deliveries',
  summary: 'What the help desk delivered, and what became of it.',
  params: IntegrationParams,
  query: z.object({ last_key: LastKey.optional(), limit: listQuery.limit, state: DeliveryState.optional() }),
  answer: listAnswer(Delivery),
});

const DeliveryParams = IntegrationParams.extend({ deliveryId: z.string() });

/** One delivery with the request that brought it, as text; signature and other secrets are left out. */
export const getDelivery = endpoint({
  name: 'getDelivery',
  method: 'GET',
  path: '/admin/teams/:teamId/integrations/:integrationId/deliveries/:deliveryId',
  summary: 'One delivery with its request.',
  params: DeliveryParams,
  answer: Delivery.extend({ body: z.string(), headers: z.record(z.string(), z.string()) }),
});

/** Posts a delivery again where it failed; where it stands already nothing happens. */
export const redeliver = endpoint({
  name: 'redeliver',
  method: 'POST',
  path: '/admin/teams/:teamId/integrations/:integrationId/deliveries/:deliveryId/redeliver',
  summary: 'Post a delivery again where it failed.',
  params: DeliveryParams,
  answer: Done,
});

/** The same for every delivery that failed somewhere. */
export const redeliverFailed = endpoint({
  name: 'redeliverFailed',
  method: 'POST',
  path: '/admin/teams/:teamId/integrations/:integrationId/redeliver_failed',
  summary: 'Post every failed delivery again.',
  params: IntegrationParams,
  answer: Done.extend({ deliveries: z.int() }),
});
