import { z } from 'zod';
import { VendorFailure } from './vendor-failure.ts';
import { ask, credentialsRejectedMessage, MAY_NOT, type Zendesk } from './zendesk.client.ts';

const Me = z.object({
  user: z.object({
    id: z.union([z.int().positive(), z.null()]),
    email: z.string().nullish(),
    role: z.string().nullish(),
    active: z.boolean().nullish(),
    suspended: z.boolean().nullish(),
  }),
});
const AnyObject = z.looseObject({});

/**
 * Whether these credentials are good for all that we do, and whose they are. An answer alone says nothing: strangers, and
 * whoever sends a wrong password, are answered too, as a user without an id.
 */
export async function verifyLogin(zendesk: Zendesk): Promise<{ email: string }> {
  const { login } = zendesk;
  const { user } = await ask(zendesk, { method: 'GET', path: '/api/v2/users/me.json', about: 'sign-in' }, Me);
  if (user.id === null) throw new VendorFailure('credentials', credentialsRejectedMessage(login));
  const email = user.email ?? '';
  if (login.authentication !== 3 && !isSame(email, login.username))
    throw new VendorFailure('credentials', 'Zendesk knows this user by another email. Please enter that one.');
  if (user.active === false || user.suspended === true)
    throw new VendorFailure('forbidden', 'This Zendesk user is suspended or deleted. Use another one.');
  // An agent may have been given the right to do this, so that only the calls below can tell.
  if (user.role === 'end-user') throw new VendorFailure('forbidden', MAY_NOT);
  await ask(zendesk, { method: 'GET', path: '/api/v2/webhooks?page[size]=1', about: 'rights' }, AnyObject);
  await ask(zendesk, { method: 'GET', path: '/api/v2/triggers.json?page[size]=1', about: 'rights' }, AnyObject);
  return { email };
}

function isSame(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}
