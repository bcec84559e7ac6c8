import type { AnyEndpoint } from './endpoint.ts';
import { cookieLogin, getMe, listStatuses, login, logout, resetPassword, sendPasswordReset } from './session.ts';
import { listTeamMembers, listTeams } from './teams.ts';
import { listUsers, revokeSessions, saveUser } from './users.ts';

/** Every call of the API, for the conformance test, the authorization matrix and the reference. */
export const endpoints: readonly AnyEndpoint[] = [
  login,
  cookieLogin,
  getMe,
  logout,
  listStatuses,
  sendPasswordReset,
  resetPassword,
  listTeams,
  listTeamMembers,
  listUsers,
  saveUser,
  revokeSessions,
];
