import { Stack, Switch, Text } from '@mantine/core';
import { EMAIL_KINDS, type EmailKind, type Preferences } from '@steward/contract/account/preferences';
import { useQuery } from '@tanstack/react-query';
import { preferencesQueryOptions, useSavePreferences } from './account.queries.ts';
import { Loaded, Section } from './section.tsx';

/** Only owners and admins get these emails. Each switch saves immediately. */
export function EmailsSection() {
  const preferences = useQuery(preferencesQueryOptions);
  return (
    <Section title="Email notifications" description="For all teams that you own or manage.">
      <Loaded {...preferences}>{(loaded) => <Switches preferences={loaded} />}</Loaded>
      <Text c="dimmed" fz={13} mt="md">
        Security emails are always sent: sign-ins from a new device, new owners, and changes of your password, email
        address or second factors.
      </Text>
    </Section>
  );
}

function Switches({ preferences: { emails } }: { preferences: Preferences }) {
  const { mutate } = useSavePreferences();
  return (
    <Stack gap="sm">
      {EMAIL_KINDS.map((kind) => (
        <Switch
          key={kind}
          label={WORDS[kind].label}
          description={WORDS[kind].description}
          checked={emails[kind]}
          onChange={({ currentTarget: { checked } }) => mutate({ body: { emails: { [kind]: checked } } })}
        />
      ))}
    </Stack>
  );
}

const WORDS: Readonly<Record<EmailKind, { label: string; description: string }>> = {
  retention: { label: 'Retention rules', description: 'A rule was changed, or will delete more' },
  run_failed: { label: 'Failed retention runs', description: 'A run stopped before it was done' },
  new_admin: { label: 'New admins', description: 'Someone became an admin' },
  new_token: { label: 'New service tokens', description: 'Someone let a service import content' },
  helpdesk: { label: 'Help desk', description: 'The connection needs new credentials' },
  leaving: { label: 'People who leave', description: 'On Mondays, whose access ends in the next 14 days' },
  inactivity: {
    label: 'Inactive members',
    description: 'The rule was changed, or a night warned or deactivated members',
  },
  monthly: { label: 'The month in numbers', description: 'On the first of a month, for owners: the numbers of Home' },
};
