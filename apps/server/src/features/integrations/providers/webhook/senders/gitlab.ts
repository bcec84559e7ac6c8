import { type Sender, verifiedBy } from './sender.ts';

export const GITLAB: Sender = {
  code: 'gitlab',
  name: 'GitLab',
  verifications: [
    {
      label: 'Signing token',
      hint: 'For GitLab 19.0 and later. GitLab signs each request and its time.',
      secret_from: 'either',
      fields: [],
      verification: verifiedBy('standard'),
    },
    {
      label: 'Secret token',
      hint: 'For every version. GitLab sends the token with each request.',
      secret_from: 'server',
      fields: [],
      verification: verifiedBy('token', { header: 'x-gitlab-token' }),
    },
  ],
  eventIds: ['webhook-id', 'idempotency-key'],
  // Before GitLab 17.4 there is no other id. Events that a webhook causes have the id of the first one.
  chainId: 'x-gitlab-event-uuid',
  defaultTemplate: `{%- assign about = object_attributes -%}
{%- assign state = about.detailed_status | default: about.status | default: about.action | default: about.state | default: build_status | default: status | default: action -%}
{%- assign link = about.url | default: url | default: deployable_url | default: project.web_url -%}
**{{ project.path_with_namespace | default: project_name | default: group.full_path | default: "GitLab" }}**: {{ object_kind | default: event_name | default: "event" | replace: "_", " " }}{% if state %} {{ state }}{% endif %}
{%- if ref and commits %} to {{ ref | remove: "refs/heads/" | remove: "refs/tags/" }}{% endif %} by {{ user.name | default: user_name | default: user_username | default: "GitLab" }}
{%- if about.note %}
On {{ merge_request.title | default: issue.title | default: snippet.title | default: commit.title }}: {{ about.note | truncate: 300 }}
{%- elsif about or build_name or tag %}
{% if about.iid %}#{{ about.iid }} {% endif %}{{ about.title | default: about.name | default: build_name | default: name | default: about.ref | default: tag }}
{%- endif -%}
{%- for commit in commits limit: 5 %}
- {{ commit.title | default: commit.message | split: "\\n" | first }} ({{ commit.author.name }})
{%- endfor -%}
{%- if total_commits_count > 5 %}
- and {{ total_commits_count | minus: 5 }} more
{%- endif %}
{{ link }}`,
  sample: {
    headers: { 'x-gitlab-event': 'Merge Request Hook', 'idempotency-key': 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f' },
    payload: {
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: { id: 1, name: 'Ada Admin', username: 'ada', email: '[REDACTED]' },
      project: {
        id: 15,
        name: 'Shop',
        web_url: 'https://gitlab.example.com/acme/shop',
        namespace: 'Acme',
        path_with_namespace: 'acme/shop',
        default_branch: 'main',
      },
      object_attributes: {
        id: 99,
        iid: 128,
        title: 'Retry payments after a timeout',
        state: 'merged',
        action: 'merge',
        source_branch: 'retry-payments',
        target_branch: 'main',
        url: 'https://gitlab.example.com/acme/shop/-/merge_requests/128',
      },
      labels: [{ id: 206, title: 'payments' }],
      repository: { name: 'Shop', homepage: 'https://gitlab.example.com/acme/shop' },
    },
  },
};
