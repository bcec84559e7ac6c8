const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The page between the provider and the portal. It has no script, because its policy forbids scripts. */
export function renderGoingOn(path: string): string {
  const address = path.replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? sign);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signing in</title>' +
    `<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="0;url=${address}"></head>` +
    `<body><p><a href="${address}">Continue</a></p></body></html>`
  );
}
