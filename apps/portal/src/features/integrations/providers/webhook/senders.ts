/** The texts about the services that call an incoming webhook; the server has their settings. */
export const SENDERS: readonly { code: string; what: string; section: string }[] = [
  { code: 'github', what: 'pull requests, pushes, issues and workflow runs from GitHub', section: 'github' },
  { code: 'gitlab', what: 'merge requests, pushes, issues and pipelines from GitLab', section: 'gitlab' },
  { code: 'grafana', what: 'alerts from Grafana', section: 'grafana' },
  { code: 'alertmanager', what: 'alerts from Prometheus Alertmanager', section: 'alertmanager' },
  { code: 'sentry', what: 'alerts, issues and comments from Sentry', section: 'sentry' },
  { code: 'standard', what: 'events from a service that follows Standard Webhooks', section: 'standard-webhooks' },
  { code: 'webhook', what: 'messages from any service that sends JSON', section: 'any-other-service' },
];

/** The section of the guide with the steps at the service. */
export function getGuideSection(code: string): string {
  return SENDERS.find((sender) => sender.code === code)?.section ?? '';
}
