// The acceptance points of the bridge that can be checked on any server through its API. Tests run these functions against the
// simulator, and the drill against a real server.
import { lackDangerousCalls, leaveOtherTeams, rehearseTwice } from './limit-points.ts';
import {
  deleteFilesOfReplies,
  deleteFourTimes,
  findBackdated,
  findEveryRow,
  keepThreadsWithNewReplies,
  keepYoungThreads,
  leaveNoWords,
  noticeAddedFile,
  repairDetachedFiles,
  surviveEdits,
  tellRepliesInFlight,
  trustOnlyReadings,
} from './message-points.ts';
import {
  changeMembership,
  endAllRequests,
  nameLesserTokens,
  protectPeople,
  readBrokenAnswer,
} from './people-points.ts';
import type { Stage } from './stage.ts';

export interface Point {
  number: number;
  name: string;
  /** Returns a remark. Throws `Failed` or `NotApplicable`. */
  run: (stage: Stage) => Promise<string>;
}

export const POINTS: Point[] = [
  { number: 1, name: 'A sweep finds every row: deleted ones, versions, those of one millisecond', run: findEveryRow },
  { number: 2, name: 'No row holds the words of a message that was pinned, edited and deleted', run: leaveNoWords },
  { number: 3, name: 'A thread with a young reply, also a deleted one, is not touched', run: keepYoungThreads },
  { number: 4, name: 'A whole thread with files on its replies leaves no file', run: deleteFilesOfReplies },
  { number: 5, name: 'Messages that lost all files by an edit are repaired first', run: repairDetachedFiles },
  { number: 6, name: 'A file that was added after the sweep keeps the thread until the next', run: noticeAddedFile },
  { number: 7, name: 'Edits and pins in flight leave no version', run: surviveEdits },
  { number: 8, name: 'A reply after the sweep keeps the thread', run: keepThreadsWithNewReplies },
  { number: 8, name: 'A reply in flight is reported or lost, and nothing else is', run: tellRepliesInFlight },
  { number: 9, name: 'A message that is dated back is found by a sweep', run: findBackdated },
  { number: 11, name: 'Whatever a deletion is answered, the outcome is what a reading says', run: trustOnlyReadings },
  {
    number: 11,
    name: 'The same deletion four times at once deletes all and claims nothing wrong',
    run: deleteFourTimes,
  },
  { number: 12, name: 'A revoked person makes no further requests', run: endAllRequests },
  { number: 12, name: 'Removal, deactivation and return are what a reading says', run: changeMembership },
  {
    number: 13,
    name: 'The bridge has no call that changes settings or deletes people or teams',
    run: lackDangerousCalls,
  },
  { number: 13, name: 'Channels outside of the connected teams get no changing call', run: leaveOtherTeams },
  { number: 13, name: 'Nothing is done to the bot, its owner, or a team that is not connected', run: protectPeople },
  { number: 14, name: 'A lesser token is named, and nothing else is', run: nameLesserTokens },
  { number: 14, name: 'The broken answer for a person without channels is understood', run: readBrokenAnswer },
  { number: 15, name: 'A second rehearsal adds nothing', run: rehearseTwice },
];

/** The points that can't be checked through the API. */
export const ELSEWHERE: { number: number; name: string; reason: string }[] = [
  { number: 10, name: 'A deletion that is interrupted is finished', reason: 'it needs kills of the server' },
  { number: 14, name: 'Settings that are off are one sentence each', reason: 'it needs changes of settings' },
  { number: 16, name: 'Reply counts of living threads are right', reason: 'only whole threads are deleted' },
];
