import type { Caller } from './accounts/auth.ts';
import type { Account } from './model.ts';
import type { Answer } from './responses.ts';
import type { World } from './world.ts';

export interface Call {
  world: World;
  account: Account;
  caller: Caller;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  /** Base URL of the account, for URLs in responses. */
  base: string;
}

/** An endpoint of the simulator. The path is relative to `/api/v2/`, unless it starts with a slash. */
export interface Route {
  method: string;
  path: string;
  /** The scope that an access token needs; users need the permission for webhooks or triggers. */
  scope?: string;
  /** Available without credentials. */
  open?: boolean;
  run: (call: Call) => Answer | Promise<Answer>;
}
