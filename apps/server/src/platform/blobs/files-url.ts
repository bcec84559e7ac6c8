import { fileURLToPath } from 'node:url';

export type FilesPlace = { kind: 'directory'; location: string } | ({ kind: 'bucket' } & Bucket);

export interface Bucket {
  bucket: string;
  /** '' or ending in a slash. */
  prefix: string;
  region: string;
  /** URL of the service; AWS if absent. */
  endpoint?: string;
  /** True if the bucket name is in the path instead of the host name. */
  pathStyle: boolean;
}

/** Parses FILES_URL; errors never repeat the URL, which may contain secrets. */
export function parseFilesUrl(filesUrl: string): FilesPlace {
  const url = URL.parse(filesUrl);
  if (url?.protocol === 'file:') return { kind: 'directory', location: toDirectoryPath(url) };
  if (url?.protocol === 's3:') return { kind: 'bucket', ...getBucket(url) };
  throw new Error('must be a URL that starts with file:// or s3://');
}

function toDirectoryPath(url: URL): string {
  if (url.host !== '' || url.search !== '' || url.hash !== '' || url.pathname === '/')
    throw new Error('must look like file:///srv/steward/files, without a host and without ? or #');
  return fileURLToPath(url);
}

function getBucket(url: URL): Bucket {
  const form = 'must look like s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example&path_style=1';
  if (url.username !== '' || url.password !== '')
    throw new Error('must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const { region = 'us-east-1', endpoint, path_style = '0', ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`${form}; ${JSON.stringify(unknown)} is not known`);
  const isService = endpoint === undefined || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host) || !isService || !/^[01]$/.test(path_style))
    throw new Error(form);
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    pathStyle: path_style === '1',
  };
}
