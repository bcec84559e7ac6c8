import type { User } from './model.ts';
import { type MattermostSimulator, startMattermost } from './simulator.ts';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface Rig extends AsyncDisposable {
  at: MattermostSimulator;
  /** The bot with the rights of a system admin, and its owner. */
  bot: User;
  owner: User;
  token: string;
  /** Calls `METHOD path` below `/api/v4/` as the bot, or with another token, or without one. */
  api(call: string, body?: unknown, token?: string | null): Promise<Reply>;
}

/** A simulator with an admin's bot and permanent deletion switched on. */
export async function rig(): Promise<Rig> {
  const at = await startMattermost({ seed: 1 });
  const { bot, owner, token } = at.addAdminBot();
  at.set('ServiceSettings', 'EnableAPIPostDeletion', true);
  return {
    at,
    bot,
    owner,
    token,
    api: (call, body, other) => send(at.url, call, { body, token: other === undefined ? token : other }),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

export async function send(
  url: string,
  call: string,
  { body, token }: { body?: unknown; token: string | null },
): Promise<Reply> {
  const [method = '', path = ''] = call.split(' ');
  const form = body instanceof FormData;
  const response = await fetch(`${url}/api/v4/${path}`, {
    method,
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
