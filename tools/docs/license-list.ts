// Licenses are read from the lock file, which also lists packages for other platforms. License checkers only read installed
// packages.

/** These licenses allow use, changes and distribution, at most with a notice. */
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

/** These are also allowed for build and test packages, which are not distributed: changes to their files would have to be published. */
const FOR_TOOLS = ['MPL-2.0', 'CC-BY-4.0'];

/** Exceptions for packages that reach the browser have a reason. */
const EXCUSED: Readonly<Record<string, { license: string; because: string }>> = {
  '@fontsource-variable/inter': {
    license: 'OFL-1.1',
    because: 'a font may be distributed with its license, which the portal serves',
  },
};

export interface Licensed {
  name: string;
  license: string;
  /** The package is only for building or testing. */
  isTool: boolean;
}

/** Returns the reason why a package may not be used, or undefined if it may. One license of “A OR B” is enough. */
export function getLicenseProblem({ name, license, isTool }: Licensed): string | undefined {
  if (EXCUSED[name]?.license === license) return undefined;
  const allowed = isTool ? [...FREE, ...FOR_TOOLS] : FREE;
  const choices = license.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return choices.some((choice) => allowed.includes(choice)) ? undefined : `${name}: ${license || 'no license'}`;
}
