import type { Env } from '#platform/env.ts';

export type TeamPath = `/${'users' | 'dashboard'}/${string}`;

/** A screen of a team is opened in that team, whichever one the reader had open last. The other screens belong to an account. */
type PortalPlace =
  | { path: TeamPath | '/'; teamId: string }
  | { path: '/account' | '/login' }
  | { path: '/confirm_email' | '/join' | '/reset_password' | '/signup_confirm' | '/still_needed'; token: string };

/** The address of a screen of the portal, for emails and for the operator. Every such address is built here. */
export function portalLink({ publicUrl }: Pick<Env, 'publicUrl'>, { path, ...rest }: PortalPlace): string {
  const url = new URL(path, publicUrl);
  if ('teamId' in rest) url.searchParams.set('team', rest.teamId);
  if ('token' in rest) url.searchParams.set('token', rest.token);
  return url.href;
}
