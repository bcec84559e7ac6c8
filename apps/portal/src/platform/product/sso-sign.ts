/** True if some team of this server uses single sign-on. The server writes this into the page. */
export function isSsoOn(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="steward-sso"]')?.content === 'on';
}
