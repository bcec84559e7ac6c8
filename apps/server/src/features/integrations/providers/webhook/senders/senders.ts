import { ALERTMANAGER } from './alertmanager.ts';
import { CUSTOM } from './custom.ts';
import { GITHUB } from './github.ts';
import { GITLAB } from './gitlab.ts';
import { GRAFANA } from './grafana.ts';
import type { Sender } from './sender.ts';
import { SENTRY } from './sentry.ts';
import { STANDARD_WEBHOOKS } from './standard-webhooks.ts';

/** In the order of the tiles. To add a sender, add a file beside this one and an entry here and in the portal. */
export const SENDERS: readonly Sender[] = [GITHUB, GITLAB, GRAFANA, ALERTMANAGER, SENTRY, STANDARD_WEBHOOKS, CUSTOM];
