import type { Delivery, DeliveryState } from '@steward/contract/integrations/deliveries';
import type { Tone } from '#platform/feedback/state-badge.tsx';

export type DeliveryChannel = Delivery['channels'][number];

export const DELIVERY_STATES: Readonly<Record<DeliveryState, { word: string; tone: Tone }>> = {
  waiting: { word: 'Waiting', tone: 'active' },
  posted: { word: 'Posted', tone: 'quiet' },
  partly: { word: 'Partly posted', tone: 'warning' },
  failed: { word: 'Failed', tone: 'danger' },
  ignored: { word: 'Ignored', tone: 'undone' },
};

export const CHANNEL_STATES: Readonly<Record<DeliveryChannel['state'], { word: string; tone: Tone }>> = {
  waiting: DELIVERY_STATES.waiting,
  posted: DELIVERY_STATES.posted,
  failed: DELIVERY_STATES.failed,
};

export function isRetryable({ state }: Pick<Delivery, 'state'>): boolean {
  return state === 'failed' || state === 'partly';
}

export function formatAttempts(attempts: number): string {
  if (attempts === 0) return 'Not attempted yet';
  return attempts === 1 ? '1 attempt' : `${attempts.toLocaleString('en-US')} attempts`;
}

interface Counted {
  count: number;
  isMore: boolean;
}

/** The numbers are missing while they are being counted. */
export function redeliverQuestion(failed: Counted | undefined, partly: Counted | undefined): string {
  if (failed === undefined || partly === undefined) return 'Redeliver all failed deliveries?';
  const count = failed.count + partly.count;
  if (count === 0) return 'No deliveries have failed.';
  const words = count === 1 ? '1 delivery' : `${count.toLocaleString('en-US')} deliveries`;
  const many = failed.isMore || partly.isMore ? `more than ${words}` : words;
  return `Redeliver ${many} to the channels where ${count === 1 ? 'it' : 'they'} failed?`;
}

export function formatStarted(deliveries: number): string {
  if (deliveries === 0) return 'No failed deliveries were left to retry.';
  return `Retrying ${deliveries.toLocaleString('en-US')} ${deliveries === 1 ? 'delivery' : 'deliveries'}.`;
}
