const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ADDRESS = /^(?:https:\/\/)?([a-z0-9-]{1,63})\.zendesk\.com(?:[/?#].*)?$/i;

/** The account's own part of a host name or of an address copied while working in Zendesk; all else stays as it was typed. */
export function normalizeDomain(typed: string): string {
  const text = typed.trim();
  return (ADDRESS.exec(text)?.[1] ?? text).toLowerCase();
}

/** What a field shows after it held `before`: an address is cut down when it was pasted, not under the fingers of who types it. */
export function applyEnteredDomain(before: string, entered: string): string {
  return entered.length > before.length + 1 && ADDRESS.test(entered.trim()) ? normalizeDomain(entered) : entered;
}

/** Whether an account can have this name; whether one has it, only Zendesk knows. */
export function isDomain(plain: string): boolean {
  return LABEL.test(plain);
}
