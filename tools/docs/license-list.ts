/** Licences that leave us free to run, change and pass on, with a notice at most. */
const FREE = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  'PostgreSQL',
];

/** Beside those, of what builds and tests and is passed on to nobody: changes to its own files would have to be published. */
const FOR_TOOLS = ['MPL-2.0', 'CC-BY-4.0'];

/** Packages that are no part of what runs though they reach a browser, and why they may. */
const EXCUSED: Readonly<Record<string, { licence: string; because: string }>> = {
  '@fontsource-variable/inter': {
    licence: 'OFL-1.1',
    because: 'a font may be passed on with its licence, which the portal serves',
  },
};

/** A package as the lock file and its own manifest know it. */
export interface Licensed {
  name: string;
  licence: string;
  /** It builds or tests, and is no part of what runs. */
  isTool: boolean;
}

/** Why a package may not be used; undefined where it may. A choice («A OR B») is ours; anything longer wants a reader. */
export function getLicenseProblem({ name, licence, isTool }: Licensed): string | undefined {
  if (EXCUSED[name]?.licence === licence) return undefined;
  const allowed = isTool ? [...FREE, ...FOR_TOOLS] : FREE;
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return choices.some((choice) => allowed.includes(choice)) ? undefined : `${name}: ${licence || 'no licence'}`;
}
