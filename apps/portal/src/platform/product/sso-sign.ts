/** Whether some team of this server signs in by single sign-on; the server writes it into the page. */
export function isSsoOn(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="steward-sso"]')?.content === 'on';
}
