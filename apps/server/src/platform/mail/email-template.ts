import type { Env } from '#platform/env.ts';
import { escapeHtml } from '#platform/mail/mail.ts';
import type { Mail } from '#platform/mail/mailbox.ts';

/** A few sentences and at most one button. The renderer escapes every part. */
interface TextContent {
  subject: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  closing: string;
}

export interface EmailContent extends TextContent {
  to: string;
}

export type EmailText = Omit<Mail, 'to'>;

/**
 * Makes a name that another user chose safe for an email. Email programs turn text that looks like a web address into a link,
 * so an invisible joiner follows each dot.
 */
export function defuseLinks(name: string): string {
  return name.replace(/\.(?=[\p{L}\p{N}])/gu, '.\u2060').replace(/:\/\//g, ':\u2060//');
}

/** “March 2, 2026 at 3:05 PM Central European Standard Time”. An unknown time zone counts as UTC. */
export function formatTime(instant: number, timeZone = 'UTC'): string {
  const text = createFormat(timeZone).format(instant);
  // Some email programs show the narrow space before AM and PM as other characters.
  return text.replace(/\s/g, ' ').replace('Coordinated Universal Time', 'UTC');
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { ...TIME_STYLE, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...TIME_STYLE, timeZone: 'UTC' });
  }
}

const TIME_STYLE = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'long',
} as const;

const DAY_STYLE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** “March 2, 2026” for 2026-03-02. */
export function formatDay(date: string): string {
  return DAY_STYLE.format(Date.parse(date));
}

/** Renders an email as plain text and as HTML without images or style sheets. */
export function renderEmail(env: Env, { to, ...content }: EmailContent): Mail {
  return { to, ...renderText(env, content) };
}

/** For an email with many recipients. */
export function renderText(env: Env, { action, closing, ...content }: TextContent): EmailText {
  const subject = toLine(content.subject);
  const paragraphs = content.paragraphs.map(toLine);
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    closing,
    `— ${env.PRODUCT_NAME}`,
  ];
  const paragraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`;
  const button = action
    ? paragraph(
        `<a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#2f5bd7;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a>`,
      ) + paragraph(`<span style="color:#5c6270">${escapeHtml(action.url)}</span>`)
    : '';
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    '<body style="margin:0;padding:32px 16px;background:#f6f7f9;font:15px/1.55 Inter,system-ui,sans-serif;color:#1c2029">' +
    '<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e3e5ea;border-radius:8px">' +
    `${paragraphs.map((line) => paragraph(escapeHtml(line))).join('')}${button}` +
    `<p style="margin:0;color:#5c6270">${escapeHtml(closing)}</p></div></body></html>`;
  return { subject, text: text.join('\n\n'), html };
}

/** A user's name or reason can't begin a line of its own. */
function toLine(text: string): string {
  return text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
}
