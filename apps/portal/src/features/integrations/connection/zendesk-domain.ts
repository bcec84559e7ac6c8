const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ADDRESS = /^(?:https:\/\/)?([a-z0-9-]{1,63})\.zendesk\.com(?:[/?#].*)?$/i;

/** The subdomain of a Zendesk host name or URL; other text is only trimmed and lowercased. */
export function normalizeDomain(typed: string): string {
  const text = typed.trim();
  return (ADDRESS.exec(text)?.[1] ?? text).toLowerCase();
}

/** The new value of the field: a pasted URL is reduced to its subdomain, typed text is left alone. */
export function applyEnteredDomain(before: string, entered: string): string {
  return entered.length > before.length + 1 && ADDRESS.test(entered.trim()) ? normalizeDomain(entered) : entered;
}

/** Whether this is a valid subdomain. Only Zendesk knows whether it exists. */
export function isDomain(plain: string): boolean {
  return LABEL.test(plain);
}
