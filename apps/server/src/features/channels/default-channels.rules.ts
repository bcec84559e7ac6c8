import { GENERAL, isOffered, type OfferedChannel } from '#workspace/channels/channels.rules.ts';

/** A channel of the team, requested as a default channel, with the caller's membership. */
export interface Choice extends OfferedChannel {
  is_default: boolean;
}

/** General is always a default channel, with every member in it. */
export function isGeneral({ name }: Pick<Choice, 'name'>): boolean {
  return name === GENERAL;
}

/** The name matches in upper and lower case. */
export function hasGeneral(choices: readonly Choice[]): boolean {
  return choices.some(({ name }) => name.toLowerCase() === GENERAL);
}

/** Open public and private channels may be chosen. A channel that is a default channel already may stay, even archived. */
export function mayChoose(choice: Choice): boolean {
  if (choice.type === 'D') return false;
  return isGeneral(choice) || choice.is_default || isOffered(choice);
}

/**
 * Only members of a private channel may add current members of the team to it. Otherwise an admin outside the channel could
 * add themselves.
 */
export function mayFill({ type, has_joined }: Choice): boolean {
  return type === 'O' || has_joined;
}

/** All members are in general already, and no user can join an archived channel. */
export function acceptsMembers(choice: Choice): boolean {
  return !isGeneral(choice) && choice.delete_at === 0 && mayFill(choice);
}
