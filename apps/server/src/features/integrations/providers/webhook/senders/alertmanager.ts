import { ALERT_LIST } from './alerts.ts';
import { type Sender, verifiedBy } from './sender.ts';

export const ALERTMANAGER: Sender = {
  code: 'alertmanager',
  name: 'Alertmanager',
  verifications: [
    {
      label: 'Authorization header',
      hint: 'Alertmanager sends the secret with each request, as http_config says.',
      secret_from: 'server',
      fields: [],
      verification: verifiedBy('bearer'),
    },
  ],
  eventIds: [],
  defaultTemplate: `**{{ status | default: "unknown" | upcase }}** {{ commonLabels.alertname | default: groupLabels.alertname | default: receiver | default: "Alertmanager" }} ({{ alerts.size }})
${ALERT_LIST}`,
  sample: {
    headers: { 'user-agent': 'Alertmanager/0.28.1' },
    payload: {
      version: '4',
      groupKey: '{}:{alertname="InstanceDown"}',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'steward',
      groupLabels: { alertname: 'InstanceDown' },
      commonLabels: { alertname: 'InstanceDown', job: 'shop', severity: 'critical' },
      commonAnnotations: { summary: 'An instance is down' },
      externalURL: 'https://alertmanager.acme.example',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'InstanceDown', instance: 'shop-1:9100', job: 'shop', severity: 'critical' },
          annotations: { summary: 'shop-1:9100 has been down for 5 minutes' },
          startsAt: '2026-03-02T09:51:03.157Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://prometheus.acme.example/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
          fingerprint: '2ac4d8d3c0f8e1ab',
        },
      ],
    },
  },
};
