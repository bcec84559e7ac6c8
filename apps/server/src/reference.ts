import { endpoints } from '@steward/contract/endpoints';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { escapeHtml } from '#platform/mail.ts';
import { isLocal } from '#platform/metrics.ts';
import { openApiOf } from '#platform/openapi.ts';
import { createAccess } from '#workspace/access.ts';

const STYLE = `
:root{color-scheme:light dark;font:15px/1.55 Inter,system-ui,sans-serif}
body{max-width:860px;margin:0 auto;padding:32px 16px} h1{margin:0 0 4px} a{color:#3f6fe0}
details{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:8px;margin:0 0 8px}
summary{cursor:pointer;padding:10px 16px;overflow-wrap:anywhere} summary b{display:inline-block;min-width:64px}
summary span{opacity:.75;display:block;padding-left:68px}
pre{overflow:auto;margin:0;padding:12px 16px;font:13px/1.5 ui-monospace,monospace} h2{font-size:14px;margin:8px 16px 0}`;

interface Operation {
  operationId: string;
  summary: string;
  parameters: object[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content: { 'application/json': { schema: object } } }>;
}

/**
 * Serves the OpenAPI document and a page that reads it aloud (design §4): to this machine, and elsewhere to people who
 * are signed in (trust, abuse 48).
 */
export function serveReference(app: FastifyInstance, deps: Deps): void {
  const access = createAccess(deps);
  const document = openApiOf(endpoints, deps.env.PRODUCT_NAME);
  const onRequest = async (request: FastifyRequest) => {
    if (!isLocal(request)) await access.signedIn(request);
  };
  const page = pageOf(document as { info: { title: string }; paths: Record<string, Record<string, Operation>> });
  app.get('/api/v4/openapi.json', { onRequest, config: { endpoint: 'getOpenApi' } }, async () => document);
  app.get('/api/v4/docs/style.css', { onRequest, config: { endpoint: 'getDocsStyle' } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(STYLE),
  );
  app.get('/api/v4/docs', { onRequest, config: { endpoint: 'getDocs' } }, async (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(page),
  );
}

function pageOf(document: { info: { title: string }; paths: Record<string, Record<string, Operation>> }): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${escapeHtml(document.info.title)}</title><link rel="stylesheet" href="/api/v4/docs/style.css"></head>` +
    `<body><h1>${escapeHtml(document.info.title)}</h1><p>Every call, as the server checks it. ` +
    `The same as <a href="/api/v4/openapi.json">OpenAPI</a>.</p>${operations.join('')}</body></html>`
  );
}

function operationOf(method: string, path: string, operation: Operation): string {
  const block = (title: string, value: object | undefined) =>
    value === undefined ? '' : `<h2>${title}</h2><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
  // A number before '4XX': the one status of a success.
  const [answer] = Object.values(operation.responses);
  return (
    `<details id="${operation.operationId}"><summary><b>${method}</b> ${escapeHtml(path)}<span>${escapeHtml(operation.summary)}</span></summary>` +
    block('Parameters', operation.parameters.length > 0 ? operation.parameters : undefined) +
    block('Body', Object.values(operation.requestBody?.content ?? {})[0]?.schema) +
    `${block('Answer', answer?.content['application/json'].schema)}</details>`
  );
}
