const NUMBER_DIGITS_MAX = 19;
export const SECURITY_CODE_MAX = 3;

export function formatCardNumberInput(text: string): string {
  let digits = 0;
  return [...text.replace(/[^\d ]/g, '')].filter((char) => char === ' ' || ++digits <= NUMBER_DIGITS_MAX).join('');
}

/** The slash is inserted with the third digit, so that it can be deleted too. */
export function formatExpiryInput(text: string): string {
  const [month = '', year = ''] = text.includes('/') ? text.split('/') : [text.slice(0, 2), text.slice(2)];
  const digits = (part: string) => part.replace(/\D/g, '').slice(0, 2);
  const hasSlash = text.includes('/') || digits(year) !== '';
  return hasSlash && digits(month) !== '' ? `${digits(month)}/${digits(year)}` : digits(month);
}

/** An empty field is valid. */
export function getExpiryError(text: string): string | undefined {
  if (text === '') return undefined;
  const month = /^(\d\d)\/\d\d$/.exec(text)?.[1];
  if (month === undefined) return 'Use the format MM/YY, for example 09/28.';
  return Number(month) >= 1 && Number(month) <= 12 ? undefined : 'Enter a month from 01 to 12.';
}

export function formatSecurityCodeInput(text: string): string {
  return text.replace(/\D/g, '').slice(0, SECURITY_CODE_MAX);
}
