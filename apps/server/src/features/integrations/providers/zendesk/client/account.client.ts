import { z } from 'zod';
import { VendorFailure } from './vendor-failure.ts';
import { credentialsRejectedMessage, MAY_NOT, requestJson, type Zendesk } from './zendesk.client.ts';

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
 * Checks that these credentials have every permission we need, and returns the user's email. Status 200 alone proves nothing:
 * with wrong credentials Zendesk returns an anonymous user without an id.
 */
export async function verifyLogin(zendesk: Zendesk): Promise<{ email: string }> {
  const { login } = zendesk;
  const { user } = await requestJson(zendesk, { method: 'GET', path: '/api/v2/users/me.json', about: 'sign-in' }, Me);
  if (user.id === null) throw new VendorFailure('credentials', credentialsRejectedMessage(login));
  const email = user.email ?? '';
  if (login.authentication !== 3 && !isSame(email, login.username))
    throw new VendorFailure('credentials', 'This Zendesk user has a different primary email. Enter that one.');
  if (user.active === false || user.suspended === true)
    throw new VendorFailure('forbidden', 'This Zendesk user is suspended or deleted. Use another one.');
  // A custom role may give an agent this permission, so it is checked by the calls below.
  if (user.role === 'end-user') throw new VendorFailure('forbidden', MAY_NOT);
  await requestJson(zendesk, { method: 'GET', path: '/api/v2/webhooks?page[size]=1', about: 'rights' }, AnyObject);
  await requestJson(zendesk, { method: 'GET', path: '/api/v2/triggers.json?page[size]=1', about: 'rights' }, AnyObject);
  return { email };
}

function isSame(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}
