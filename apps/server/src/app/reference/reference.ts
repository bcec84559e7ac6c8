import { endpoints } from '@steward/contract/api/endpoints';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { isLocal } from '#platform/http/local.ts';
import { toOpenApi } from '#platform/http/openapi.ts';
import { createAccess } from '#workspace/access/access.ts';
import { type ReferenceDocument, referencePage } from './reference-page.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

const SEARCH_MAX = 100;

/** Serves the OpenAPI document and a page for it to requests from this machine and to signed-in users. */
export function serveReference(app: FastifyInstance, deps: Deps): void {
  const access = createAccess(deps);
  const onRequest = async (request: FastifyRequest) => {
    if (!isLocal(deps.env.publicUrl, request)) await access.signedIn(request);
  };
  // Created at the first call, because few servers show it and every start would wait for it.
  let reference: ReturnType<typeof createReference> | undefined;
  const getReference = () => {
    reference ??= createReference(deps.env.PRODUCT_NAME);
    return reference;
  };
  app.get(
    '/api/v4/openapi.json',
    { onRequest, config: { endpoint: 'getOpenApi' } },
    async () => getReference().document,
  );
  app.get('/api/v4/docs/style.css', { onRequest, config: { endpoint: 'getDocsStyle' } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(REFERENCE_STYLE),
  );
  app.get('/api/v4/docs', { onRequest, config: { endpoint: 'getDocs' } }, async (request, reply) => {
    const { q } = request.query as { q?: unknown };
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(getReference().pageFor(typeof q === 'string' ? q.trim().slice(0, SEARCH_MAX) : ''));
  });
}

function createReference(product: string) {
  const document = toOpenApi(endpoints, product);
  return { document, pageFor: referencePage(document as unknown as ReferenceDocument) };
}
