const ENTRA = 'login.microsoftonline.com';
/** An issuer of Microsoft names the directory. Its `common`, `organizations` and `consumers` name none. */
const DIRECTORY = /^\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:\/(?:v2\.0\/?)?)?$/;
/** The directory of personal Microsoft accounts, which anyone can have with any address. */
const PERSONAL_ACCOUNTS = '9188040d-6c67-4c5b-b112-36a304b66dad';
/** Hosts at which Microsoft issues tokens of any directory, with those of national clouds. */
const MICROSOFT =
  /(?:^|\.)(?:microsoftonline\.(?:com|us|de)|microsoftonline-p\.com|partner\.microsoftonline\.cn|windows\.net|login\.microsoft\.com|live\.com)\.?$/;

const OWN_DIRECTORY = `must name your own directory: https://${ENTRA}/<directory ID>/v2.0`;

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * The problem of an issuer's address; undefined if it is valid. The issuer decides who the users of a team are, so addresses
 * that several issuers share, or that issue tokens for anyone, are refused.
 */
export function findIssuerProblem(issuer: string, { allowsLoopback }: { allowsLoopback: boolean }): string | undefined {
  if (!URL.canParse(issuer))
    return 'must be the address that the provider calls its issuer, such as https://id.example.com';
  const url = new URL(issuer);
  const isOwnMachine = allowsLoopback && isLoopback(url);
  if (url.protocol !== 'https:' && !(isOwnMachine && url.protocol === 'http:')) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password';
  if (issuer.includes('?') || issuer.includes('#')) return 'must not contain ? or #';
  if (issuer.includes('/.well-known/'))
    return 'must be the issuer alone: leave out /.well-known/ and everything after it';
  if (MICROSOFT.test(url.hostname) && !DIRECTORY.test(url.pathname)) return OWN_DIRECTORY;
  if (url.hostname === ENTRA && !url.pathname.endsWith('/v2.0')) return OWN_DIRECTORY;
  if (issuer.toLowerCase().includes(PERSONAL_ACCOUNTS))
    return 'must name the directory of your organization: anyone can have a personal Microsoft account';
  return undefined;
}

export function isEntra(issuer: string): boolean {
  return URL.canParse(issuer) && new URL(issuer).hostname === ENTRA;
}

/** Anyone can have an account at Google, so its issuer alone doesn't identify a company. */
export function isGoogle(issuer: string): boolean {
  return issuer === 'https://accounts.google.com';
}
