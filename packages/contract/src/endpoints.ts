import {
  addEntries,
  finishImport,
  getImport,
  listEntries,
  listImports,
  listKeptEntries,
  removeEntry,
  saveEntries,
  startImport,
  undoImport,
  uploadEntries,
} from './directory.ts';
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
  listEntries,
  addEntries,
  saveEntries,
  removeEntry,
  uploadEntries,
  startImport,
  finishImport,
  listImports,
  getImport,
  undoImport,
  listKeptEntries,
];
