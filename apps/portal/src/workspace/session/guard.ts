/** Everything below these paths belongs to a team, whether its room is built or not (spec §2). */
const PROTECTED = /^\/(users|dashboard|sms)(\/|$)/;

/** Whether this address needs a sign-in: every known screen of the shell does, of unknown addresses those of a team. */
export function needsSignIn(pathname: string, isUnknown: boolean): boolean {
  return !isUnknown || PROTECTED.test(pathname);
}
