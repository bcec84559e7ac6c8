import type { FastifyRequest } from 'fastify';

/** Takes the host name of a URL. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

const PROXY_HEADERS = /^(?:forwarded|via|x-forwarded-.+|x-real-ip)$/;

/**
 * True if a server at `publicUrl` is for this machine only, and a request comes directly from it: over loopback, to a loopback
 * host name, and not through a proxy. A proxy on the same machine can hide all of that, so the configuration decides first.
 * The Host header is checked against DNS rebinding: a website's own name that resolves to this machine doesn't pass.
 */
export function isLocal(publicUrl: string, { headers, socket }: FastifyRequest): boolean {
  if (!isLoopbackHost(new URL(publicUrl).hostname)) return false;
  if (Object.keys(headers).some((name) => PROXY_HEADERS.test(name))) return false;
  const from = socket.remoteAddress ?? '';
  if (from !== '::1' && !/^(?:::ffff:)?127\./.test(from)) return false;
  const host = `http://${headers.host}`;
  return URL.canParse(host) && isLoopbackHost(new URL(host).hostname);
}
