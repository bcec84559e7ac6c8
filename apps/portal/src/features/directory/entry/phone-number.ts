/** Only digits with the usual separators, and an optional leading plus, can be dialed as they are. */
const DIALABLE = /^\+?[\d\s().\u2010-\u2013-]+$/;
/** The shortest number with a link is like 112; E.164 defines the longest. */
const DIGITS_MIN = 3;
const DIGITS_MAX = 15;

/** Ten digits become (NNN) NNN-NNNN; other numbers are shown as stored. */
export function formatPhoneNumber(stored: string): string {
  return /^\d{10}$/.test(stored) ? `(${stored.slice(0, 3)}) ${stored.slice(3, 6)}-${stored.slice(6)}` : stored;
}

/** Text that isn't clearly a single number gets no link. */
export function getNumberHref(scheme: 'tel' | 'sms', stored: string): string | undefined {
  if (!DIALABLE.test(stored)) return undefined;
  const isInternational = stored.startsWith('+');
  // The (0) in +49 (0) 30 is dialed only inside the country.
  const digits = (isInternational ? stored.replace('(0)', '') : stored).replace(/\D/g, '');
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return undefined;
  return `${scheme}:${isInternational ? '+' : ''}${digits}`;
}

/** The address is encoded, so that it can't add a subject or a second recipient. */
export function getMailHref(email: string): string | undefined {
  const at = email.lastIndexOf('@');
  if (at < 1 || at === email.length - 1) return undefined;
  return `mailto:${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
}
