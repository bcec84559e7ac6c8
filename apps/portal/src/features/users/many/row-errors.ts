const LABELS: Readonly<Record<string, string>> = {
  email: 'Email',
  first_name: 'First Name',
  last_name: 'Last Name',
  account_type: 'Account Type',
};

/** Why a row wasn't saved, as a sentence: `email: is in an earlier row` is “Email is in an earlier row.” */
export function describeRowError(error: string): string {
  const [, field = '', rest = ''] = /^(\w+): (.+)$/s.exec(error) ?? [];
  const label = Object.hasOwn(LABELS, field) ? LABELS[field] : undefined;
  const text = label === undefined ? error : `${label} ${rest}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
