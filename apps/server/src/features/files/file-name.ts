/** Not allowed in the name of a download: path separators, control characters and bidirectional overrides. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

function toSafeFileName(name: string): string {
  const safe = name
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  return safe === '' ? 'file' : safe;
}

/** Content-Disposition of a download: the name in UTF-8 (RFC 5987), and in ASCII for clients that don't support it (RFC 6266). */
export function contentDisposition(name: string): string {
  const saved = toSafeFileName(name);
  const ascii = saved.replace(/[^\x20-\x7e]/g, '_').replace(/[%'();=]/g, '_');
  const encoded = encodeURIComponent(saved.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

export function getExtension(name: string): string {
  return /\.([a-z0-9]{1,16})$/.exec(name.toLowerCase())?.[1] ?? '';
}

/** MIME types by extension, for the icons of clients; the download itself is always `application/octet-stream`. */
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

export function getContentType(extension: string): string {
  return (Object.hasOwn(TYPES, extension) && TYPES[extension]) || 'application/octet-stream';
}
