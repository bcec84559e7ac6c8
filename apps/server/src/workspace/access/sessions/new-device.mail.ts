import type { Env } from '#platform/env.ts';
import { formatTime, renderEmail } from '#platform/mail/email-template.ts';
import type { Mail } from '#platform/mail/mailbox.ts';

/** Tells an owner or admin that their account was used from somewhere new. */
export function newDeviceMail(
  env: Env,
  { to, device, address, at }: { to: string; device: string; address: string; at: number },
): Mail {
  return renderEmail(env, {
    to,
    subject: `New sign-in to your ${env.PRODUCT_NAME} account`,
    paragraphs: [
      `Your account was signed in to with ${device} from ${address}, on ${formatTime(at)}. We haven't seen it there before.`,
    ],
    action: { label: 'View your sessions', url: `${env.publicUrl}/account` },
    closing: "If this wasn't you, sign out that device under My account and change your password now.",
  });
}
