import {
  getAttention,
  getIntegrationsSummary,
  getPeopleSummary,
  getRetentionSummary,
  getSignInSummary,
  getStorageSummary,
  type StorageSummary,
} from '@steward/contract/home';
import { answer } from './fake-server.ts';

const NOTHING = { count: 0, bytes: 0 };

export const EMPTY_STORAGE: StorageSummary = {
  counted_at: 1,
  total: NOTHING,
  kinds: [],
  channels: [],
  private: NOTHING,
  added_30_days: NOTHING,
  freed_this_month: NOTHING,
};

/** Home of a team in which nothing happens. */
export function answerHome(): void {
  answer(getAttention, { records: [] });
  answer(getPeopleSummary, {
    members: 3,
    active_7_days: 2,
    active_30_days: 3,
    never_active: 0,
    inactive_90_days: 0,
    leaving_14_days: 0,
    leaving_30_days: 0,
    invited: 0,
    invited_over_14_days: 0,
  });
  answer(getSignInSummary, {
    members: 3,
    with_second_factor: 1,
    with_single_sign_on: 0,
    admins: 1,
    admins_without_second_factor: 0,
  });
  answer(getStorageSummary, EMPTY_STORAGE);
  answer(getRetentionSummary, { rules: 0, last_night: null, holds: 0 });
  answer(getIntegrationsSummary, { connected: 0, posted_7_days: 0, failed_7_days: 0 });
}
