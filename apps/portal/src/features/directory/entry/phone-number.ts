/** Digits with the usual signs between them, and at most a plus in front: nothing else can be dialled as it stands. */
const DIALABLE = /^\+?[\d\s().\u2010-\u2013-]+$/;
/** The shortest number that gets a link, such as 112, and the longest that exists (E.164). */
const DIGITS_MIN = 3;
const DIGITS_MAX = 15;

/** How a number is shown: ten digits as (NNN) NNN-NNNN, everything else as it is stored. */
export function formatPhoneNumber(stored: string): string {
  return /^\d{10}$/.test(stored) ? `(${stored.slice(0, 3)}) ${stored.slice(3, 6)}-${stored.slice(6)}` : stored;
}

/** Address that calls a number or writes to it; none where the text is not plainly one number. */
export function getNumberHref(scheme: 'tel' | 'sms', stored: string): string | undefined {
  if (!DIALABLE.test(stored)) return undefined;
  const isInternational = stored.startsWith('+');
  // The (0) in +49 (0) 30 is only dialled inside the country.
  const digits = (isInternational ? stored.replace('(0)', '') : stored).replace(/\D/g, '');
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return undefined;
  return `${scheme}:${isInternational ? '+' : ''}${digits}`;
}

/** Address that writes to an email address; the address stays one address, whatever signs it has. */
export function getMailHref(email: string): string | undefined {
  const at = email.lastIndexOf('@');
  if (at < 1 || at === email.length - 1) return undefined;
  return `mailto:${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
}
