import { type AnyEndpoint, API_BASE } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { ErrorBody } from '@steward/contract/api/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { isLocal } from '#platform/http/local.ts';
import { createAccess } from '#workspace/access/access.ts';
import { type ReferenceDocument, referencePage } from './reference-page.ts';

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

/** Stylesheet of the API reference; it follows the system theme and needs no script. */
const REFERENCE_STYLE = `
:root{color-scheme:light dark;font:15px/1.55 Inter,system-ui,sans-serif;scroll-padding-top:16px;
--line:light-dark(#e4e4e7,#3a3a40);--soft:light-dark(#f7f7f8,#202024);--quiet:light-dark(#5b5b63,#a6a6ae);--link:light-dark(#4a4bb8,#a9adf5)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:24px 16px 64px;background:light-dark(#fff,#17171a);color:light-dark(#1b1b1f,#ececef)}
a{color:var(--link)} h1{margin:0;font-size:26px} h2{font-size:18px;margin:32px 0 8px} h3{font-size:13px;margin:16px 0 4px}
.lead{margin:4px 0 16px;color:var(--quiet)}
form{display:flex;gap:8px;margin:0 0 16px}
input{flex:1;min-width:0;max-width:420px}
input,button{font:inherit;color:inherit;padding:7px 12px;border:1px solid light-dark(#8a8a93,#75757e);border-radius:8px;background:transparent}
button{cursor:pointer} :focus-visible{outline:2px solid var(--link);outline-offset:2px}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;padding:8px 0 0}
nav a{text-decoration:none;padding:2px 0} nav small{color:var(--quiet)}
details{border:1px solid var(--line);border-radius:8px;margin:0 0 8px}
summary{cursor:pointer;display:grid;grid-template-columns:72px 1fr;gap:0 12px;padding:10px 14px;list-style:none;border-radius:8px}
summary::-webkit-details-marker{display:none} summary:hover{background:var(--soft)}
details[open]>summary{border-bottom:1px solid var(--line);border-radius:8px 8px 0 0}
.method{font:600 12px/22px ui-monospace,monospace;text-align:center;border-radius:6px;align-self:start;
color:light-dark(#23457f,#bcd3ff);background:light-dark(#e6eefc,#22314d)}
.method[data-method=POST]{color:light-dark(#155a34,#a8e5c0);background:light-dark(#e2f4e9,#1b3a29)}
.method[data-method=PUT]{color:light-dark(#6b4700,#f2d18f);background:light-dark(#fbf0d8,#40311a)}
.method[data-method=DELETE]{color:light-dark(#96231f,#ffb9b3);background:light-dark(#fde9e7,#4a2422)}
code,pre{font:13px/1.5 ui-monospace,monospace} summary code{overflow-wrap:anywhere} summary span.text{grid-column:2;color:var(--quiet)}
.body{padding:4px 14px 14px;scroll-margin-top:96px}
pre{overflow:auto;margin:0;padding:10px 12px;border-radius:6px;background:var(--soft);max-height:420px}
table{border-collapse:collapse;width:100%} td,th{text-align:left;vertical-align:top;padding:4px 12px 4px 0;border-bottom:1px solid var(--line)}
th{font-weight:500;color:var(--quiet);font-size:13px} td:last-child{overflow-wrap:anywhere} td:not(:last-child){white-space:nowrap;font-size:13px}
@media (max-width:640px){summary{grid-template-columns:1fr} .method{justify-self:start;padding:0 8px} summary span.text{grid-column:1}}
`;

function toOpenApi(endpoints: readonly AnyEndpoint[], product: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const definition of endpoints) {
    const path = API_BASE + definition.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [definition.method.toLowerCase()]: toOperation(definition) };
  }
  return {
    openapi: '3.1.0',
    info: { title: `${product} API`, version: '4', description: 'Cookies carry the session; bodies are JSON.' },
    paths,
    components: { schemas: { ErrorBody: toSchema(ErrorBody, 'output') } },
  };
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  return rest;
}

function toParameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Record<string, unknown>[] {
  if (!schema) return [];
  const object = toSchema(schema, 'input') as { properties?: Record<string, object>; required?: string[] };
  return Object.entries(object.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required ?? []).includes(name),
    schema: property,
  }));
}

function toBody({ body, accepts }: AnyEndpoint): { requestBody?: object } {
  if (typeof accepts === 'object') {
    const content = accepts.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if (accepts !== undefined) {
    const schema = { type: 'string', description: 'One JSON object a line.' };
    return { requestBody: { required: true, content: { [accepts]: { schema } } } };
  }
  if (!body) return {};
  // Without a required field, a missing body counts as an empty one.
  const required = !body.safeParse({}).success;
  return { requestBody: { required, content: { 'application/json': { schema: toSchema(body, 'input') } } } };
}

function toOperation(definition: AnyEndpoint): Record<string, unknown> {
  const json = (schema: object) => ({ 'application/json': { schema } });
  return {
    operationId: definition.name,
    summary: definition.summary,
    parameters: [...toParameters(definition.params, 'path'), ...toParameters(definition.query, 'query')],
    ...toBody(definition),
    responses: {
      [definition.success ?? 200]: { description: 'Success', content: json(toSchema(definition.answer, 'output')) },
      '4XX': { description: 'Refused; nothing changed', content: json({ $ref: '#/components/schemas/ErrorBody' }) },
    },
  };
}
