import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What reaches the browser beside the modules that the bundler lists: what a worker imports, and fonts. */
const BESIDE = ['papaparse', '@fontsource-variable/inter'];

/** Adds the licences of what the bundler does not see to those that it has written. */
export async function addLicenses(file: string, packages: string): Promise<void> {
  for (const name of BESIDE) {
    const directory = join(packages, name);
    const { version, license } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    const text = await readFile(join(directory, 'LICENSE'), 'utf8');
    await appendFile(file, `\n## ${name} - ${version} (${license})\n\n${text.trim()}\n`);
  }
}
