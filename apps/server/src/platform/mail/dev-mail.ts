import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { isLocal } from '#platform/http/local.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { escapeHtml } from './mail.ts';
import type { Posted } from './mailbox.ts';

const STYLE = `
:root{color-scheme:light dark;font:15px/1.55 Inter,system-ui,sans-serif}
body{max-width:760px;margin:0 auto;padding:32px 16px}
h1{font-size:22px;margin:0 0 4px} p.lead{margin:0 0 24px;opacity:.75}
article{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:8px;padding:16px 20px;margin:0 0 16px}
h2{font-size:16px;margin:0 0 4px} dl{display:flex;flex-wrap:wrap;gap:0 16px;margin:0 0 12px;font-size:13px;opacity:.75} dd{margin:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font:inherit} a{color:#3f6fe0}`;

const COOKIE = 'steward_dev_mail';
const PURPOSE = 'dev-mail';

/** The path contains a key, because the emails contain links that open any account. It is printed at startup. */
export function getDevMailPath(secrets: Secrets): string {
  return `/dev/mail?key=${secrets.sign(PURPOSE, '')}`;
}

/**
 * Shows captured emails at `/dev/mail` on a server for this machine only, to requests from it with the key: a proxy in front of a
 * server with the default PUBLIC_URL can't show them. Opening the address stores the key in a cookie.
 */
export function serveDevMail(app: FastifyInstance, { mailbox, secrets, env }: Deps): void {
  const hasKey = ({ cookies, query }: FastifyRequest) => {
    const { key = cookies[COOKIE] ?? '' } = query as { key?: unknown };
    return typeof key === 'string' && secrets.verify(PURPOSE, '', key);
  };
  const onRequest = async (request: FastifyRequest) => {
    if (!isLocal(env.publicUrl, request) || !hasKey(request)) refuse('request.not_found');
  };
  app.get('/dev/mail.css', { onRequest }, async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
  app.get('/dev/mail.json', { onRequest }, async () => mailbox.list());
  app.get('/dev/mail', { onRequest }, async (request, reply) => {
    const { key } = request.query as { key?: string };
    if (key !== undefined)
      return reply
        .setCookie(COOKIE, key, { path: '/dev/', httpOnly: true, sameSite: 'strict' })
        .redirect('/dev/mail', 303);
    const mails = await mailbox.list();
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(getPage(mails));
  });
}

function getPage(mails: readonly Posted[]): string {
  const lead =
    mails.length === 0
      ? 'No email yet. Outgoing email is captured here because no SMTP server is set.'
      : `${mails.length} captured because no SMTP server is set; newest first.`;
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>Dev mailbox</title><link rel="stylesheet" href="/dev/mail.css"></head><body><h1>Dev mailbox</h1><p class="lead">${lead}</p>` +
    `${mails.map(renderMail).join('')}</body></html>`
  );
}

function renderMail(mail: Posted): string {
  const text = escapeHtml(mail.text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
  return (
    `<article><h2>${escapeHtml(mail.subject)}</h2><dl><dd>to ${escapeHtml(mail.to)}</dd>` +
    `<dd><time>${escapeHtml(mail.date)}</time></dd></dl><pre>${text}</pre></article>`
  );
}
