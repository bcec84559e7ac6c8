import type { House, Problem } from './house-files.ts';

type Side = 'contract' | 'server' | 'portal';

const FOLDERS: Record<Side, string> = {
  contract: 'packages/contract/src/',
  server: 'apps/server/src/features/',
  portal: 'apps/portal/src/features/',
};

/** Contract files that are the ground floor itself and no room. */
const GROUND_FLOOR = new Set(['api']);

/** Rooms that do not stand on all three sides, and why. A reason that no longer holds is a problem too. */
const MISSING_WITH_REASON: { room: string; on: Side[]; because: string }[] = [
  { room: 'content', on: ['portal'], because: 'services send content, by a token; people see it in other products' },
  { room: 'billing', on: ['contract', 'server'], because: 'static screens without a call' },
];

/** A room has one name on three sides; whoever looks for it finds it in one obvious place on each. */
export function brokenRooms(house: House, exceptions = MISSING_WITH_REASON): Problem[] {
  const sides: Record<Side, Set<string>> = {
    contract: new Set(contractRooms(house)),
    server: new Set(foldersIn(house, FOLDERS.server)),
    portal: new Set(foldersIn(house, FOLDERS.portal)),
  };
  const names = [...new Set(Object.values(sides).flatMap((rooms) => [...rooms]))].sort();
  return names.flatMap((room) => {
    const excused = exceptions.find((exception) => exception.room === room)?.on ?? [];
    const absent = (Object.keys(sides) as Side[]).filter((side) => !sides[side].has(room));
    return [
      ...absent
        .filter((side) => !excused.includes(side))
        .map((side) => ({
          rule: 'rooms',
          file: `${FOLDERS[side]}${room}`,
          text: `the room ${room} is missing in ${side}`,
        })),
      ...excused
        .filter((side) => sides[side].has(room))
        .map((side) => ({
          rule: 'rooms',
          file: `${FOLDERS[side]}${room}`,
          text: `excused, yet there: drop its exception`,
        })),
    ];
  });
}

function contractRooms(house: House): string[] {
  return house.files
    .filter((file) => file.startsWith(FOLDERS.contract) && file.endsWith('.ts'))
    .map((file) => file.slice(FOLDERS.contract.length).split(/[./]/)[0] ?? '')
    .filter((name) => !GROUND_FLOOR.has(name));
}

function foldersIn(house: House, folder: string): string[] {
  return house.files
    .filter((file) => file.startsWith(folder) && file.slice(folder.length).includes('/'))
    .map((file) => file.slice(folder.length).split('/')[0] ?? '');
}
