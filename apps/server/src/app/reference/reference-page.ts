import { escapeHtml } from '#platform/mail/mail.ts';

/** The part of an OpenAPI document that the page shows. */
export interface ReferenceDocument {
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content: { 'application/json': { schema: object } } }>;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: object;
}

interface Call extends Operation {
  method: string;
  path: string;
}

/** Sections of the page, in order; an endpoint belongs to the first one that matches its path. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['My account', /^\/users\/me\/./],
  ['Session and passwords', /^\/users\/(login|cookie_login|logout|me|status|password)/],
  ['Sign-up', /^\/(signup|setup|join)/],
  ['Connected servers', /\/(connections|connector)\b/],
  ['Teams', /^\/users\/[^/]+\/teams|\/settings\b/],
  ['Home', /\/(attention$|summary\/)/],
  [
    'People',
    /\/(users|failed_invitations|invitation_links|inactivity|activity|still_needed|still_needed_check|sign_ins|user_exports|former_users|erased_users)\b/,
  ],
  ['Company directory', /\/compdir\b/],
  ['Retention', /(retention|holds)\b/],
  ['Sign-in security and provisioning', /\/(security|domains|sso|scim_tokens|scim_log)\b/],
  ['Channels and posts', /\/(channels|posts|channel_default|channel_groups|compliance_access)\b/],
  ['Files', /^\/files\b/],
  ['Integrations', /\/integrations\b/],
  ['Service tokens and content', /\/(tokens|token_policy|content)\b/],
  ['Audit log', /\/audit_log$/],
];

function getPart(path: string): string {
  const below = path.replace(/^\/api\/v4/, '');
  return PARTS.find(([, fits]) => fits.test(below))?.[0] ?? 'More';
}

/** Returns a function that renders the page with the endpoints matching a search text. */
export function referencePage({ info, paths }: ReferenceDocument): (wanted: string) => string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
  const ready = calls.map((call) => ({
    part: getPart(call.path),
    words: `${call.method} ${call.path} ${call.operationId} ${call.summary} ${getPart(call.path)}`.toLowerCase(),
    html: renderCall(call),
  }));
  const names = [...PARTS.map(([name]) => name), 'More'];
  return (wanted) => {
    const words = wanted.toLowerCase().split(/\s+/);
    const found = ready.filter((call) => words.every((word) => call.words.includes(word)));
    const parts = names.flatMap((name) => {
      const html = found.filter(({ part }) => part === name).map((call) => call.html);
      return html.length === 0 ? [] : [{ name, id: toAnchor(name), html }];
    });
    const links = parts.map(({ name, id, html }) => `<a href="#${id}">${name} <small>${html.length}</small></a>`);
    const sections = parts.map(
      ({ name, id, html }) => `<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>${html.join('')}</section>`,
    );
    const nothing = `<p>No matching endpoints. <a href="/api/v4/docs">Show all ${calls.length}</a></p>`;
    return frame(info.title, wanted, [
      `<nav aria-label="Parts">${links.join(' ')}</nav>`,
      ...(sections.length > 0 ? sections : [nothing]),
    ]);
  };
}

function frame(title: string, wanted: string, content: string[]): string {
  const all = wanted === '' ? '' : ' <a href="/api/v4/docs">Show all</a>';
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/api/v4/docs/style.css"></head>` +
    `<body><header><h1>${escapeHtml(title)}</h1><p class="lead">All endpoints, generated from the server's own validation. ` +
    `The same as <a href="/api/v4/openapi.json">OpenAPI</a>.${all}</p></header>` +
    '<main><form role="search" action="/api/v4/docs"><input type="search" name="q" aria-label="Find calls" ' +
    `placeholder="Find calls, such as retention" maxlength="100" value="${escapeHtml(wanted)}"><button>Find</button></form>` +
    `${content.join('')}</main></body></html>`
  );
}

const toAnchor = (name: string): string => `part-${name.toLowerCase().replace(/\W+/g, '-')}`;

function renderCall({ method, path, operationId, summary, parameters, requestBody, responses }: Call): string {
  // Number keys come before '4XX': the first one is the success status.
  const [status = '200', answer] = Object.entries(responses)[0] ?? [];
  const [type = '', body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  // The id is inside, because browsers open a <details> that contains the target of a link.
  return (
    `<details><summary><span class="method" data-method="${method}">${method}</span><code>${escapeHtml(path)}</code>` +
    `<span class="text">${escapeHtml(summary)}</span></summary><div class="body" id="${operationId}">` +
    `<p><a href="#${operationId}">${operationId}</a></p>${toParameters(parameters)}` +
    toSchema(`Body, ${type}`, body?.schema) +
    `${toSchema(`Answer, ${status}`, answer?.content['application/json'].schema)}</div></details>`
  );
}

function toParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td>` +
      `<td><code>${escapeHtml(JSON.stringify(schema, withoutLimits))}</code></td></tr>`,
  );
  return `<h3>Parameters</h3><table><tr><th>Name</th><th>In</th><th>Schema</th></tr>${rows.join('')}</table>`;
}

function toSchema(title: string, schema: object | undefined): string {
  if (schema === undefined) return '';
  return `<h3>${escapeHtml(title)}</h3><pre tabindex="0">${escapeHtml(JSON.stringify(schema, withoutLimits, 2))}</pre>`;
}

/** Drops the safe integer bounds, which every integer has. */
function withoutLimits(_name: string, value: unknown): unknown {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER ? undefined : value;
}
