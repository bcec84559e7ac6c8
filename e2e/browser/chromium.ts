import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Chromium {
  executablePath: string;
  env: NodeJS.ProcessEnv;
}

const INSTALLED = [
  // This is the same engine without the browser around it, which needs a third less processor time for a run.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** CHROMIUM_PATH may have this value instead of a path, to use the browser of the packages even if the machine has another one. */
const PACKAGED = 'packaged';

/**
 * The configuration that comes with the packaged browser names folders of the system that it was built for. A browser that
 * finds no font at all crashes on the first form control.
 */
const FONTS_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const require = createRequire(import.meta.url);

/** Returns CHROMIUM_PATH, an installed Chromium or Chrome, or the one that came with the packages, in this order. */
export async function chromium(given = process.env.CHROMIUM_PATH, isThere = existsSync): Promise<Chromium> {
  const { env } = process;
  if (given && given !== PACKAGED && !isThere(given)) {
    throw new Error(`CHROMIUM_PATH names ${given}, and there is no such file.`);
  }
  const installed = given === PACKAGED ? undefined : given || INSTALLED.find(isThere);
  if (installed !== undefined) return { executablePath: installed, env };
  if (process.platform !== 'linux') {
    throw new Error('No Chromium was found: name one with CHROMIUM_PATH. The packaged one runs on Linux only.');
  }
  const packed = await unpacked();
  // A minimal machine lacks the libraries and fonts that were unpacked with it.
  const LD_LIBRARY_PATH = [join(packed, 'al2023/lib'), env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  const FONTCONFIG_PATH = join(packed, 'fonts');
  return { executablePath: join(packed, 'chromium'), env: { ...env, LD_LIBRARY_PATH, FONTCONFIG_PATH } };
}

/** Unpacks the packaged browser beside the packages, once for each version. Concurrent runs are safe. */
async function unpacked(): Promise<string> {
  const home = dirname(dirname(require.resolve('@sparticuz/chromium')));
  const { version } = require(join(home, 'package.json')) as { version: string };
  const place = join(home, '../../.cache', `packaged-chromium-${version}`);
  if (existsSync(place)) return place;
  await mkdir(dirname(place), { recursive: true });
  const unfinished = await mkdtemp(`${place}-`);
  const { inflate } = await import('@sparticuz/chromium');
  const before = tmpdir();
  // The package unpacks to the temporary directory, where a file of that name may belong to another user.
  process.env.TMPDIR = unfinished;
  try {
    const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
    await Promise.all(archives.map((archive) => inflate(join(home, 'bin', archive))));
  } finally {
    process.env.TMPDIR = before;
  }
  await writeFile(join(unfinished, 'fonts/fonts.conf'), FONTS_CONFIGURATION);
  // If another process was faster, its copy is the same.
  await rename(unfinished, place).catch(() => rm(unfinished, { recursive: true, force: true }));
  return place;
}
