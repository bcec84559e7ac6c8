import type { Person, Ticket } from '@steward/liquid/zendesk/ticket.ts';

/** A user of an account, with everything that determines their access. */
export interface Login extends Person {
  verified: boolean;
  suspended: boolean;
  /** False for a deleted user. */
  active: boolean;
  /** 4 admin, 0 custom agent, 1 light agent; none for end users. */
  role_type: number | null;
  /** Permissions from an agent's custom role; admins need none. */
  manages: Managed[];
  password?: string;
}

/** Resources with a permission of their own. */
export type Managed = 'webhooks' | 'triggers';

/** A token belongs to the account and works with any of its verified emails. */
export interface ApiToken {
  token: string;
  state: 'active' | 'deactivated' | 'expired';
}

export interface OAuthClient {
  client_id: string;
  client_secret: string;
  /** Scopes that the client is registered with. */
  scopes: string[];
  /** The user whose permissions its tokens have. */
  user_id: number;
}

export interface AccessToken {
  id: number;
  token: string;
  client_id: string;
  user_id: number;
  scopes: string[];
  /** False if an unknown scope was requested; every call is then refused. */
  usable: boolean;
  created_at: number;
  /** Undefined if it doesn't expire. */
  expires_at?: number;
}

export interface Authentication {
  type: 'basic_auth' | 'bearer_token' | 'api_key';
  data: Record<string, string>;
  add_position: string;
}

export interface Webhook {
  id: string;
  name: string;
  endpoint: string;
  http_method: string;
  request_format: string;
  status: string;
  subscriptions?: string[];
  description?: string;
  authentication?: Authentication;
  custom_headers?: Record<string, string>;
  created_at: number;
  created_by: string;
  updated_at?: number;
  updated_by?: string;
  secret: string;
}

export interface Condition {
  field: string;
  operator: string;
  value: unknown;
}

export interface Action {
  field: string;
  value: unknown;
}

export interface Trigger {
  id: number;
  raw_title: string;
  description: string | null;
  active: boolean;
  default: boolean;
  position: number;
  category_id: string;
  conditions: { all: Condition[]; any: Condition[] };
  actions: Action[];
  created_at: number;
  updated_at: number;
}

export interface Outgoing {
  endpoint: string;
  method: string;
  headers: [string, string][];
  payload: Buffer;
}

export interface Attempt {
  status: string;
  status_code?: number;
  request?: Outgoing;
  response?: { headers: [string, string][]; payload: string };
  completed_at: number;
}

/** One delivery: an invocation, with its attempts, oldest first. */
export interface Delivery {
  /** The invocation's id, the same in every attempt. */
  id: string;
  webhook_id: string;
  cause: 'trigger' | 'test' | 'by hand' | 'replay';
  trigger_id?: number;
  ticket_id?: number;
  status: string;
  status_code?: number;
  created_at: number;
  completed_at?: number;
  attempts: Attempt[];
}

/** Settings of an account; tests can change them at any time. */
export interface Settings {
  password_access: boolean;
  token_access: boolean;
  webhooks_offered: boolean;
  triggers_offered: boolean;
  /** The account is closed: every call is refused with an HTML page. */
  suspended: boolean;
  /** At most 10 webhooks and 60 invocations a minute. */
  trial: boolean;
  requests_per_minute: number;
  webhook_requests_per_minute: number;
  webhook_tests_per_minute: number;
  /** True if placeholder values are escaped in JSON bodies. */
  escape: boolean;
  /** True if a webhook used by a trigger can be deleted; Zendesk's behavior is unknown. */
  used_webhooks_can_go: boolean;
}

/** Deliberate deviations in deliveries. */
export interface DeliveryOptions {
  /** Number of simultaneous copies of every request, with the same invocation id. */
  copies: number;
  /** Changes one byte of the body after signing. */
  tamper: boolean;
  /** `decoded`: signs with the secret's decoded bytes instead of its text, a common mistake. */
  sign_with: 'own secret' | 'test secret' | 'decoded secret';
  /** Added to the signature's timestamp. */
  timestamp_shift_ms: number;
  omit_headers: string[];
}

export interface Account {
  subdomain: string;
  name: string;
  /** The id in deliveries. */
  number: number;
  settings: Settings;
  delivery: DeliveryOptions;
  people: Login[];
  tokens: ApiToken[];
  clients: OAuthClient[];
  accessTokens: AccessToken[];
  webhooks: Webhook[];
  triggers: Trigger[];
  categories: { id: string; name: string; position: number }[];
  groups: { id: number; name: string }[];
  tickets: Ticket[];
  deliveries: Delivery[];
  dynamicContent: Record<string, string>;
  /** Recent outcomes of each webhook, and the end of its pause. */
  breakers: Map<string, { outcomes: { at: number; failed: boolean }[]; open_until: number }>;
  /** Calls in the current minute, by bucket. */
  buckets: Map<string, { minute: number; used: number }>;
}
