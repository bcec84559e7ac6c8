import { ALERT_LIST } from './alerts.ts';
import { type Sender, verifiedBy } from './sender.ts';

export const GRAFANA: Sender = {
  code: 'grafana',
  name: 'Grafana',
  verifications: [
    {
      label: 'HMAC signature',
      hint: 'For Grafana 12 and later. Grafana signs each request and its time.',
      secret_from: 'server',
      fields: [],
      verification: verifiedBy('hmac', {
        header: 'x-grafana-alerting-signature',
        timestamp_header: 'x-grafana-alerting-timestamp',
        separator: ':',
      }),
    },
    {
      label: 'Authorization header',
      hint: 'For every version. Grafana sends the secret with each request.',
      secret_from: 'server',
      fields: [],
      verification: verifiedBy('bearer'),
    },
  ],
  eventIds: [],
  defaultTemplate: `**{{ title | default: commonLabels.alertname | default: groupLabels.alertname | default: receiver | default: "Grafana" }}** ({{ status | default: state | default: "unknown" }})
${ALERT_LIST}`,
  sample: {
    headers: { 'user-agent': 'Grafana' },
    payload: {
      receiver: 'Steward',
      status: 'firing',
      orgId: 1,
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'High memory usage', grafana_folder: 'Shop', team: 'payments', zone: 'eu-1' },
          annotations: { summary: 'Memory of shop-1 is above 90%', runbook_url: 'https://wiki.acme.example/memory' },
          startsAt: '2026-03-02T09:51:03Z',
          endsAt: '0001-01-01T00:00:00Z',
          values: { B: 93.4, C: 1 },
          generatorURL: 'https://grafana.acme.example/alerting/grafana/cdeqmlhvflz40f/view?orgId=1',
          fingerprint: 'c6eadffa33fcdf37',
          silenceURL: 'https://grafana.acme.example/alerting/silence/new?alertmanager=grafana',
          dashboardURL: '',
          panelURL: '',
          valueString: "[ var='B' labels={zone=eu-1} value=93.4 ]",
        },
      ],
      groupLabels: { alertname: 'High memory usage' },
      commonLabels: { alertname: 'High memory usage', team: 'payments' },
      commonAnnotations: {},
      externalURL: 'https://grafana.acme.example/',
      version: '1',
      groupKey: '{}:{alertname="High memory usage"}',
      truncatedAlerts: 0,
      title: '[FIRING:1] High memory usage (payments)',
      state: 'alerting',
      message: '**Firing**\n\nLabels:\n - alertname = High memory usage',
    },
  },
};
