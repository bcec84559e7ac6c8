/** What no name in a download may hold: separators of paths, control characters, and what turns the reading direction. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/** The name under which a file is saved: without what a browser or a disk could take for something else. */
function toSafeFileName(name: string): string {
  const safe = name
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  return safe === '' ? 'file' : safe;
}

/** Content-Disposition of a download: the name in UTF-8 (RFC 5987), and in ASCII for who cannot read that (RFC 6266). */
export function contentDisposition(name: string): string {
  const saved = toSafeFileName(name);
  const ascii = saved.replace(/[^\x20-\x7e]/g, '_').replace(/[%'();=]/g, '_');
  const encoded = encodeURIComponent(saved.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** What stands behind the last dot of a name, in small letters. */
export function getExtension(name: string): string {
  return /\.([a-z0-9]{1,16})$/.exec(name.toLowerCase())?.[1] ?? '';
}

/** Types by extension, for the icons of clients; the download itself is always bare bytes. */
const TYPES: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** Type of a file by its extension. */
export function getContentType(extension: string): string {
  return (Object.hasOwn(TYPES, extension) && TYPES[extension]) || 'application/octet-stream';
}
