// The rules of the house that Biome, knip and tsc cannot express. `npm run check` runs it with them.
import { pathToFileURL } from 'node:url';
import { brokenDocs } from './house-docs.ts';
import { findMissedFiles, listTrackedFiles, openHouse, type Problem } from './house-files.ts';
import { crowdedFolders } from './house-folders.ts';
import { brokenImports } from './house-imports.ts';
import { brokenRooms } from './house-rooms.ts';
import { brokenSuffixes, longFiles } from './house-suffixes.ts';
import { brokenTables } from './house-tables.ts';

export interface HouseReport {
  problems: Problem[];
  /** Worth a look, but no failure. */
  notes: string[];
  filesRead: number;
}

/** Applies every rule to the tree under `root`, which must be a git work tree. */
export function checkHouse(root: string): HouseReport {
  const house = openHouse(root);
  const problems = [
    ...findMissedFiles(house.files, listTrackedFiles(root), 'check-house'),
    ...brokenSuffixes(house),
    ...brokenRooms(house),
    ...brokenImports(house),
    ...brokenTables(house),
    ...brokenDocs(house),
    ...crowdedFolders(house),
  ];
  const notes = longFiles(house).map(({ file, lines }) => `${file}: ${lines} lines; is there a second room in it?`);
  return { problems, notes, filesRead: house.files.length };
}

function main(): void {
  const { problems, notes, filesRead } = checkHouse(process.cwd());
  for (const note of notes) console.log(`note  ${note}`);
  for (const { rule, file, text } of problems) console.error(`${rule.padEnd(12)}${file}: ${text}`);
  console.log(`check-house: ${filesRead} files, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
