import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The bundler does not list these packages in the browser: those of a worker, and fonts. */
const BESIDE = ['papaparse', 'jschardet', '@fontsource-variable/inter'];

/** Adds the licenses of those packages to the file that the bundler wrote. */
export async function addLicenses(file: string, packages: string): Promise<void> {
  for (const name of BESIDE) {
    const directory = join(packages, name);
    const { version, license } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    const text = await readFile(join(directory, 'LICENSE'), 'utf8');
    await appendFile(file, `\n## ${name} - ${version} (${license})\n\n${text.trim()}\n`);
  }
}
