import type { Generated, JSONColumnType } from 'kysely';
import type { Instant } from './column-types.ts';

/** A help desk of a team. What is null is not made yet at the vendor, or forgotten since. */
export interface IntegrationsTable {
  team_id: string;
  id: string;
  /** Which vendor, such as `zendesk`. */
  code: string;
  /** On its way to on or off while the vendor is being asked; what died on its way is found by this and finished. */
  state: 'off' | 'connecting' | 'on' | 'disconnecting';
  changed_at: Instant;
  /** Until when somebody changes it, and who: the vendor is called outside of transactions. */
  busy_until: Instant | null;
  busy_by: string | null;
  /** Subdomain at the vendor. */
  domain: string;
  username: string;
  authentication: number;
  /** JSON, sealed. */
  credentials: string | null;
  /** Hash of the key in the address that the vendor delivers to, and the key itself, sealed. */
  path_hash: string;
  path_key: string | null;
  webhook_id: string | null;
  /** Sealed. */
  signing_secret: string | null;
  created_trigger_id: string | null;
  updated_trigger_id: string | null;
  ticket_created: boolean;
  ticket_updated: boolean;
  /** The template as it was typed. */
  message: string;
  /** What the last look at the vendor found, as sentences. */
  warnings: string[];
  /** Whether it found that nothing can be done there: the vendor does not let us in any more. */
  broken: Generated<boolean>;
  /** Who posts in its name. */
  user_id: string | null;
  connected_at: Instant;
  checked_at: Instant | null;
  /** When somebody last began to read the signing secret again, and when that was done. */
  secret_read_at: Instant | null;
  secret_seen_at: Instant | null;
  last_delivery_at: Instant | null;
  last_error: string;
  last_error_at: Instant | null;
}

/** Channels that an integration posts in. */
export interface IntegrationChannelsTable {
  team_id: string;
  integration_id: string;
  channel_id: string;
  /** Last display name known, for when the channel is gone. */
  channel_name: string;
}

/** What the vendor delivered, kept for 30 days. */
export interface DeliveriesTable {
  team_id: string;
  id: string;
  integration_id: string;
  /** The vendor's id of it: the same for every try. */
  invocation_id: string;
  received_at: Instant;
  headers: JSONColumnType<Record<string, string>>;
  body: string;
  text: string;
  note: string;
  state: 'waiting' | 'posted' | 'partly' | 'failed' | 'ignored';
}

/** What became of a delivery in each channel. */
export interface DeliveryChannelsTable {
  team_id: string;
  delivery_id: string;
  channel_id: string;
  channel_name: string;
  state: 'waiting' | 'posted' | 'failed';
  post_id: string;
  attempts: number;
  error: string;
}
