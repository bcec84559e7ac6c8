import type { Delivery, DeliveryState } from '@steward/contract/integrations/deliveries';
import type { Tone } from '#platform/feedback/state-badge.tsx';

/** A delivery in one of its channels. */
export type DeliveryChannel = Delivery['channels'][number];

/** How a delivery stands, in a word and in a colour. */
export const DELIVERY_STATES: Readonly<Record<DeliveryState, { word: string; tone: Tone }>> = {
  waiting: { word: 'Waiting', tone: 'active' },
  posted: { word: 'Posted', tone: 'quiet' },
  partly: { word: 'Partly posted', tone: 'warning' },
  failed: { word: 'Failed', tone: 'danger' },
  ignored: { word: 'Ignored', tone: 'undone' },
};

/** The same for one of its channels. */
export const CHANNEL_STATES: Readonly<Record<DeliveryChannel['state'], { word: string; tone: Tone }>> = {
  waiting: DELIVERY_STATES.waiting,
  posted: DELIVERY_STATES.posted,
  failed: DELIVERY_STATES.failed,
};

/** Whether posting it again would do anything. */
export function isRetryable({ state }: Pick<Delivery, 'state'>): boolean {
  return state === 'failed' || state === 'partly';
}

/** How often it was tried. */
export function formatAttempts(attempts: number): string {
  if (attempts === 0) return 'Not tried yet';
  return attempts === 1 ? '1 try' : `${attempts.toLocaleString('en-US')} tries`;
}

interface Counted {
  count: number;
  isMore: boolean;
}

/** What is asked before all of them are posted again; as far as they were counted. */
export function redeliverQuestion(failed: Counted | undefined, partly: Counted | undefined): string {
  if (failed === undefined || partly === undefined) return 'Post again what failed?';
  const count = failed.count + partly.count;
  if (count === 0) return 'No delivery has failed.';
  const words = count === 1 ? '1 delivery' : `${count.toLocaleString('en-US')} deliveries`;
  const many = failed.isMore || partly.isMore ? `more than ${words}` : words;
  return `Post ${many} again where ${count === 1 ? 'it' : 'they'} failed?`;
}

/** What was begun. */
export function formatStarted(deliveries: number): string {
  if (deliveries === 0) return 'Nothing had failed any more, so nothing is posted again.';
  return `${deliveries.toLocaleString('en-US')} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} posted again.`;
}
