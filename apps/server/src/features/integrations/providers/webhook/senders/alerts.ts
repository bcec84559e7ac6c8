// Grafana and Alertmanager send groups of alerts of the same form.

/**
 * Up to ten alerts of a group, each with its state, text and address. An alert without a text is described by its labels.
 */
export const ALERT_LIST = `{%- for alert in alerts limit: 10 %}
{%- assign text = alert.annotations.summary | default: alert.annotations.description | default: alert.annotations.message %}
- **{{ alert.status | default: status | default: "unknown" }}**{% if alert.labels.alertname %} {{ alert.labels.alertname }}{% endif %}{% if text %}: {{ text }}{% endif %}
{%- unless text %}{% for label in alert.labels %}{% if label[0] != "alertname" %} {{ label[0] }}={{ label[1] }}{% endif %}{% endfor %}{% endunless %}
{%- if alert.panelURL or alert.dashboardURL or alert.generatorURL %} {{ alert.panelURL | default: alert.dashboardURL | default: alert.generatorURL }}{% endif %}
{%- endfor -%}
{%- if alerts.size > 10 %}
- and {{ alerts.size | minus: 10 }} more
{%- endif %}
{{ externalURL }}`;
