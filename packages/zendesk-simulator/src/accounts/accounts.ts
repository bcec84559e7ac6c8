import type { Account, DeliveryOptions, Login, Settings } from '../model.ts';
import type { World } from '../world.ts';

/** Settings of a new account; defaults are Zendesk's current behavior. */
export interface AccountSeed {
  subdomain: string;
  name?: string;
  settings?: Partial<Settings>;
}

const SETTINGS: Settings = {
  password_access: false,
  token_access: true,
  webhooks_offered: true,
  triggers_offered: true,
  suspended: false,
  trial: false,
  requests_per_minute: 700,
  webhook_requests_per_minute: 100,
  webhook_tests_per_minute: 20,
  escape: true,
  used_webhooks_can_go: true,
};

/** Deliveries without any deviation. */
const PLAIN_DELIVERY: DeliveryOptions = {
  copies: 1,
  tamper: false,
  sign_with: 'own secret',
  timestamp_shift_ms: 0,
  omit_headers: [],
};

export const SEEDS: AccountSeed[] = [
  { subdomain: 'acme' },
  { subdomain: 'globex', settings: { password_access: true, requests_per_minute: 200 } },
  { subdomain: 'trial', settings: { trial: true, requests_per_minute: 200 } },
  { subdomain: 'basic', settings: { webhooks_offered: false, triggers_offered: false } },
  { subdomain: 'suspended', settings: { suspended: true } },
];

/** An account with users of every role, tokens in every state and OAuth clients. */
export function createAccount(world: World, seed: AccountSeed): Account {
  const { subdomain } = seed;
  const people = getPeople(world, subdomain);
  const category = String(world.number());
  const now = world.clock.now();
  return {
    subdomain,
    name: seed.name ?? subdomain.slice(0, 1).toUpperCase() + subdomain.slice(1),
    number: 10_000_000 + world.random(3).readUIntBE(0, 3),
    settings: { ...SETTINGS, ...seed.settings },
    delivery: { ...PLAIN_DELIVERY, omit_headers: [] },
    people,
    tokens: [
      { token: `${subdomain}-token`, state: 'active' },
      { token: `${subdomain}+odd:token`, state: 'active' },
      { token: `${subdomain}-token-off`, state: 'deactivated' },
      { token: `${subdomain}-token-old`, state: 'expired' },
    ],
    clients: createOAuthClients(subdomain, people[0]?.id ?? 0),
    accessTokens: [],
    webhooks: [],
    triggers: [foreignTrigger(world.number(), category, now)],
    categories: [{ id: category, name: 'Initial category', position: 1 }],
    groups: [
      { id: world.number(), name: 'Support' },
      { id: world.number(), name: 'Billing' },
    ],
    tickets: [],
    deliveries: [],
    dynamicContent: {},
    breakers: new Map(),
    buckets: new Map(),
  };
}

function createOAuthClients(subdomain: string, user_id: number): Account['clients'] {
  const needed = ['webhooks:read', 'webhooks:write', 'triggers:read', 'triggers:write', 'users:read'];
  return [
    { client_id: 'steward', client_secret: `${subdomain}-secret`, scopes: [...needed, 'read', 'write'], user_id },
    { client_id: 'reader', client_secret: `${subdomain}-reader`, scopes: ['read'], user_id },
  ];
}

/** Every real account has triggers that aren't ours and don't use a webhook. */
function foreignTrigger(id: number, category_id: string, now: number): Account['triggers'][number] {
  return {
    id,
    raw_title: 'Notify requester of received request',
    description: null,
    active: true,
    default: true,
    position: 1,
    category_id,
    conditions: { all: [{ field: 'update_type', operator: 'is', value: 'Create' }], any: [] },
    actions: [{ field: 'notification_user', value: ['requester_id', 'Received', 'We have your request.'] }],
    created_at: now,
    updated_at: now,
  };
}

function getPeople(world: World, subdomain: string): Login[] {
  const one = (local: string, name: string, more: Partial<Login> = {}): Login => ({
    id: world.number(),
    name,
    email: `${local}@${subdomain}.example`,
    role: 'agent',
    role_type: 0,
    manages: [],
    verified: true,
    suspended: false,
    active: true,
    locale: 'en-US',
    time_zone: 'America/New_York',
    password: `${subdomain}-password`,
    ...more,
  });
  const admin = { role: 'admin', role_type: 4 } as const;
  return [
    one('ada', 'Ada Admin', admin),
    one('zoë', 'Zoë Admin', admin),
    one('agnes', 'Agnes Agent'),
    one('max', 'Max Manager', { manages: ['webhooks', 'triggers'] }),
    one('lily', 'Lily Light', { role_type: 1 }),
    one('rita', 'Rita Requester', { role: 'end-user', role_type: null }),
    one('uma', 'Uma Unverified', { ...admin, verified: false }),
    one('susan', 'Susan Suspended', { ...admin, suspended: true }),
    one('dora', 'Dora Deleted', { ...admin, active: false }),
  ];
}
