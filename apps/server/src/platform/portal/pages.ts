import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { EmailEndings } from '@steward/contract/directory/fields';
import type { SignUpAccess } from '@steward/contract/signup';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '#platform/env.ts';
import { refuse } from '#platform/http/errors.ts';

/** The menu has a link to a screen that isn't there yet. */
const SCREENS_TO_COME = ['sms'];

/** Placeholder for the element that says that some team uses single sign-on. */
const SSO_PLACEHOLDER = '<!-- sso -->';
const SSO_META = '<meta name="steward-sso" content="on" />';

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A worker has the policy of its own script, not of the page: it may load further scripts. */
const POLICY_OF_ASSETS = "default-src 'none'; script-src 'self'";

/** Headers without effect on scripts and stylesheets, dropped to keep the first load small. */
const ONLY_FOR_PAGES = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-request-id',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

export interface Portal {
  directory: string;
  /** True if some team uses single sign-on. Never rejects, because the page is shown without the database too. */
  hasSso: () => Promise<boolean>;
}

/**
 * Serves hashed assets, cached for a year, and the single page for every path, with a new nonce for the styles that components
 * add.
 */
export async function servePortal(app: FastifyInstance, env: Env, portal: Portal): Promise<void> {
  const { directory } = portal;
  const index = join(directory, 'index.html');
  const list = join(directory, '.route-files.json');
  if (!existsSync(index) || !existsSync(list)) {
    app.log.warn('the portal is not built; only the API is served');
    return;
  }
  const name = env.PRODUCT_NAME.replace(/[&<>"]/g, (char) => escaped[char] ?? char);
  const text = readFileSync(index, 'utf8').replaceAll('__PRODUCT_NAME__', name);
  const screens = JSON.parse(readFileSync(list, 'utf8')) as Screen[];
  const page = {
    text,
    scripts: hashInlineScripts(text),
    firstSegments: new Set([...SCREENS_TO_COME, ...screens.map(({ path }) => /^\^\/(\w*)/.exec(path)?.[1] ?? '')]),
    findLinks: createLinks(screens),
  };
  await app.register(fastifyStatic, {
    root: directory,
    index: false,
    dotfiles: 'deny',
    preCompressed: true,
    wildcard: false,
    // An entity tag is enough, and nothing requests a part of a file. Headers can be as large as a small script.
    acceptRanges: false,
    lastModified: false,
    globIgnore: ['index.html', 'index.html.*', '**/*.br', '**/*.gz', '**/*.map', '.*'],
    setHeaders(response, path) {
      const forever = path.includes('/assets/');
      response.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/assets/')) {
      for (const name of ONLY_FOR_PAGES) reply.removeHeader(name);
      reply.header('content-security-policy', POLICY_OF_ASSETS);
    }
    done();
  });
  app.get('/*', async (request, reply) => {
    const hasSso = await portal.hasSso();
    const { signUp, DIRECTORY_EMAIL_ENDINGS: emailEndings } = env;
    return sendPage(request, reply, { ...page, signUp: signUp.mode, emailEndings, hasSso });
  });
}

/** `scripts` are the CSP sources of the inline scripts. */
interface Page {
  text: string;
  scripts: readonly string[];
  /** First path segments of all screens. Other paths show the "not found" page with status 404. */
  firstSegments: ReadonlySet<string>;
  signUp: SignUpAccess;
  emailEndings: EmailEndings;
  findLinks: FindLinks;
  hasSso: boolean;
}

/** `'sha256-…'` for each inline script of the page, so that the browser runs only these. */
function hashInlineScripts(text: string): string[] {
  const scripts = text.matchAll(/<script>([\s\S]*?)<\/script>/g);
  return [...scripts].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '/';
  const first = path.split('/')[1] ?? '';
  // Hidden files, source maps and unknown API paths never get the page.
  if (path.includes('/.') || first === 'api' || path.endsWith('.map')) refuse('request.not_found');
  const known = page.firstSegments.has(first);
  if (!known && !(request.headers.accept ?? '').includes('text/html')) refuse('request.not_found');
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...page.scripts].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return reply
    .code(known ? 200 : 404)
    .header('content-security-policy', policy.join('; '))
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      page.text
        .replaceAll('__CSP_NONCE__', nonce)
        .replace('__SIGN_UP__', page.signUp)
        .replace('__EMAIL_ENDINGS__', page.emailEndings)
        .replace('</head>', `${page.findLinks(path, request.headers.cookie !== undefined)}</head>`)
        .replace(SSO_PLACEHOLDER, page.hasSso ? SSO_META : ''),
    );
}

/** A screen of the portal's build. */
interface Screen {
  /** A regular expression. */
  path: string;
  needsSession: boolean;
  scripts: string[];
}

/** The page then signs in with the visitor's cookies at once or, without cookies, shows the sign-in form. */
const NEEDS_SESSION = '<meta name="needs-session" content="yes">';

/** Elements for the head of the page at a path. Without cookies, the visitor can't be signed in. */
type FindLinks = (path: string, hasCookies: boolean) => string;

/**
 * Links to the files of a screen let them load in parallel with the first script, instead of one after another when it has run.
 * Visitors without a session get the files of the sign-in form only.
 */
function createLinks(screens: readonly Screen[]): FindLinks {
  const known = screens.map(({ path, needsSession, scripts }) => {
    const links = scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('');
    return { path: new RegExp(path), needsSession, links };
  });
  const find = (path: string) => known.find((screen) => screen.path.test(path));
  return (path, hasCookies) => {
    const screen = find(path);
    if (!screen?.needsSession) return screen?.links ?? '';
    return NEEDS_SESSION + ((hasCookies ? screen : find('/login'))?.links ?? '');
  };
}
