import { type House, listImports, listRooms, type Problem } from './house-files.ts';

const CONTRACT = 'packages/contract/src/';
const SERVER = 'apps/server/src/features/';
const PORTAL = 'apps/portal/src/features/';

/**
 * A room has one name on all sides. The contract and the server have the same rooms. A room of the portal may be missing
 * on the server only when it makes no calls, and a room without screens is missing in the portal.
 */
export function brokenRooms(house: House): Problem[] {
  // api/ is what every room of the contract stands on.
  const contract = listRooms(house, CONTRACT).filter((name) => name !== 'api');
  const server = listRooms(house, SERVER);
  const calling = listRooms(house, PORTAL).filter((room) => makesCalls(house, room));
  const missing = (rooms: string[], folder: string, present: string[]) =>
    rooms
      .filter((room) => !present.includes(room))
      .map((room) => ({ rule: 'rooms', file: folder + room, text: `the room ${room} is missing here` }));
  return [...missing(server, CONTRACT, contract), ...missing([...contract, ...calling], SERVER, server)].filter(
    ({ file }, at, all) => all.findIndex((problem) => problem.file === file) === at,
  );
}

/** Whether a room of the portal uses a room of the contract. */
function makesCalls(house: House, room: string): boolean {
  return house.files
    .filter((file) => file.startsWith(`${PORTAL}${room}/`) && /\.tsx?$/.test(file))
    .flatMap((file) => listImports(house.read(file)))
    .some((name) => /^@steward\/contract\/(?!api\/)/.test(name));
}
