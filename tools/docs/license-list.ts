// Reads licenses from the lock file, which also lists packages for other platforms; license checkers read what is installed.

/** Licenses that allow use, changes and distribution, at most with a notice. */
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

/** Also allowed for build and test packages, which are not distributed: changes to their files would have to be published. */
const FOR_TOOLS = ['MPL-2.0', 'CC-BY-4.0'];

/** Exceptions for packages that reach the browser, with the reason. */
const EXCUSED: Readonly<Record<string, { license: string; because: string }>> = {
  '@fontsource-variable/inter': {
    license: 'OFL-1.1',
    because: 'a font may be distributed with its license, which the portal serves',
  },
};

/** A package and its license. */
export interface Licensed {
  name: string;
  license: string;
  /** It is for building or testing only. */
  isTool: boolean;
}

/** Why a package may not be used; undefined if it may. Of “A OR B” one license is enough. */
export function getLicenseProblem({ name, license, isTool }: Licensed): string | undefined {
  if (EXCUSED[name]?.license === license) return undefined;
  const allowed = isTool ? [...FREE, ...FOR_TOOLS] : FREE;
  const choices = license.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return choices.some((choice) => allowed.includes(choice)) ? undefined : `${name}: ${license || 'no license'}`;
}
