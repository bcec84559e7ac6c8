import { z } from 'zod';
import { EXPORT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, LastKey, listAnswer, listQuery } from '../api/fields.ts';
import { IntegrationParams } from './integrations.ts';

/** `partly`: posted in some of the channels. `ignored`: not to be posted. */
export const DeliveryState = z.enum(['waiting', 'posted', 'partly', 'failed', 'ignored']);
export type DeliveryState = z.infer<typeof DeliveryState>;

export const DeliveryChannel = z.object({
  channel_id: Id,
  channel_name: z.string(),
  state: z.enum(['waiting', 'posted', 'failed']),
  post_id: z.string(),
  attempts: z.int(),
  error: z.string(),
});

/** Times are in milliseconds since 1970. */
export const Delivery = z.object({
  id: Id,
  received_at: z.int(),
  invocation_id: z.string(),
  state: DeliveryState,
  /** The posted text; '' if the body has none. */
  text: z.string(),
  /** A note, for example that the JSON was repaired; '' for none. */
  note: z.string(),
  channels: z.array(DeliveryChannel),
});
export type Delivery = z.infer<typeof Delivery>;

/** Newest first. Kept for 30 days. */
export const listDeliveries = endpoint({
  name: 'listDeliveries',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/integrations/:integrationId/deliveries',
  summary: 'Deliveries received from the service, with their outcome.',
  params: IntegrationParams,
  query: z.object({ last_key: LastKey.optional(), limit: listQuery.limit, state: DeliveryState.optional() }),
  answer: listAnswer(Delivery),
});

const DeliveryParams = IntegrationParams.extend({ deliveryId: z.string() });

/** The headers don't contain the signature and other secrets. */
export const getDelivery = endpoint({
  name: 'getDelivery',
  method: 'GET',
  path: '/admin/teams/:teamId/integrations/:integrationId/deliveries/:deliveryId',
  summary: 'One delivery with its request.',
  params: DeliveryParams,
  answer: Delivery.extend({ body: z.string(), headers: z.record(z.string(), z.string()) }),
});

export const redeliver = endpoint({
  name: 'redeliver',
  method: 'POST',
  path: '/admin/teams/:teamId/integrations/:integrationId/deliveries/:deliveryId/redeliver',
  summary: 'Post a delivery again where it failed.',
  params: DeliveryParams,
  answer: Done,
});

export const redeliverFailed = endpoint({
  name: 'redeliverFailed',
  method: 'POST',
  path: '/admin/teams/:teamId/integrations/:integrationId/redeliver_failed',
  summary: 'Post every failed delivery again.',
  params: IntegrationParams,
  answer: Done.extend({ deliveries: z.int() }),
});
