import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { text } from '../api/fields.ts';
import { SMALL_BODY_MAX } from '../api/limits.ts';

/** The domain of the address alone decides, so that the response reveals nothing about accounts. */
export const getLoginOptions = endpoint({
  name: 'getLoginOptions',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/login/options',
  summary: 'Get how an email address signs in: with a password or by single sign-on.',
  body: z.object({ login_id: text(254).min(1, 'is required') }),
  answer: z.object({
    next: z.enum(['password', 'sso']),
    /** Path on this server at which single sign-on begins. */
    sso_url: z.string().optional(),
  }),
});
