import type { Caller } from './accounts/auth.ts';
import type { Account } from './model.ts';
import type { Answer } from './responses.ts';
import type { World } from './world.ts';

/** One call, read as far as everybody needs it. */
export interface Call {
  world: World;
  account: Account;
  caller: Caller;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The parsed JSON body. */
  body: unknown;
  /** Where this account is reached, for addresses in answers. */
  base: string;
}

/** One call that the simulator knows. The path is below `/api/v2/`, unless it begins with a slash. */
export interface Route {
  method: string;
  path: string;
  /** What an access token must reach; people need the right for webhooks and triggers. */
  scope?: string;
  /** Answered without credentials too. */
  open?: boolean;
  run: (call: Call) => Answer | Promise<Answer>;
}
